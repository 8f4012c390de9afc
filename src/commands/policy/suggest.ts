import { Flags } from '@oclif/core';
import { unpackFacts } from '../../audit/format/body.ts';
import type { Store } from '../../audit/read/store.ts';
import { visible } from '../../base/escape.ts';
import { withStore } from '../../cli/audit-query.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { parseWhen } from '../../cli/when.ts';
import { type Held, type Suggestion, suggest } from '../../rulebook/suggest.ts';

interface SuggestResult {
  readonly suggestions: readonly Suggestion[];
}

export default class PolicySuggest extends GovCommand {
  static override summary = 'Propose rules and narrow waivers from what was asked about and denied.';
  static override description =
    'Looks for what people decided the same way at least three times. Nothing is changed: each proposal is YAML to take ' +
    'over. None of them would lift a hard rule.';
  static override examples = [
    '<%= config.bin %> policy suggest',
    '<%= config.bin %> policy suggest --since 30d --json',
  ];
  static override flags = {
    since: Flags.string({ description: 'from this time on', helpValue: 'TIME', default: '30d' }),
  };

  async run(): Promise<SuggestResult> {
    const { flags } = await this.parse(PolicySuggest);
    const now = Date.now();
    const policy = await policyInForce(process.env);
    const since = parseWhen(flags.since, now);
    const held = withStore((store) => heldIn(store, since));
    const suggestions = suggest(held, policy, now);
    const p = paint(process.stdout);
    for (const s of suggestions) {
      this.say(`${p.bold(`${s.kind} for ${visible(s.rule)}`)}: ${visible(s.why)}`);
      this.say(p.dim(`from ${s.evidence.join(', ')}`));
      this.say(`${s.yaml.trimEnd()}\n`);
    }
    if (suggestions.length === 0) this.say('nothing was decided the same way often enough');
    return { suggestions };
  }
}

function heldIn(store: Store, since: number): readonly Held[] {
  const out: Held[] = [];
  for (const row of store.each({ since, kind: 'decision', decision: ['ask', 'deny', 'halt'] })) {
    const { body, outcome } = store.show(row.id);
    const hit = body?.decision?.rules.find((h) => h.id === body.decision?.rule && h.lifted_by === '');
    if (!body?.facts || !hit) continue;
    const { command } = body.call.input;
    out.push({
      id: row.id,
      hit,
      facts: unpackFacts(body.facts, body.call),
      command: typeof command === 'string' ? command : null,
      made: row.answer === 'ask' && outcome !== null,
    });
  }
  return out;
}
