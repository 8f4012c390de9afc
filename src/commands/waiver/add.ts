import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import {
  compileLayers,
  type ListedWaiver,
  listed,
  readWaiverFile,
  ruleNamed,
  saveWaiverFile,
  waiverFile,
} from '../../cli/waivers.ts';
import { parseDuration } from '../../policy/time-functions.ts';
import { requireNoAgent, thisStanding } from '../../register/person.ts';
import { nextWaiverId, withWaiver } from '../../rulebook/waiver-file.ts';

export default class WaiverAdd extends GovCommand {
  static override summary = 'Lift a rule for one exception that it declares, until a date.';
  static override description =
    "A rule's author names the exceptions (`exceptions`) and their fields; a waiver gives the values. It holds after " +
    '`gov policy build`. Not to be run under an agent.';
  static override examples = [
    "<%= config.bin %> waiver add mine.path-traversal --exception by_dir \\\n    --value 'dir=/srv/docs/**' --reason built --owner ann --expires 30d",
  ];
  static override args = { rule: Args.string({ required: true, description: 'id of the rule' }) };
  static override flags = {
    exception: Flags.string({ required: true, description: 'which of its exceptions' }),
    value: Flags.string({ required: true, multiple: true, description: 'FIELD=VALUE; all must hold together' }),
    reason: Flags.string({ required: true, description: 'why' }),
    owner: Flags.string({ required: true, description: 'who answers for it' }),
    expires: Flags.string({ required: true, description: 'end: 30d, 2026-11-01, 2026-11-01T00:00:00Z' }),
    'approved-by': Flags.string({ description: 'who approved it' }),
    ticket: Flags.string({ description: 'where it was discussed' }),
    id: Flags.string({ description: 'its name in records; default the next W-n' }),
  };

  async run(): Promise<ListedWaiver> {
    const { args, flags } = await this.parse(WaiverAdd);
    requireNoAgent('`gov waiver add`', thisStanding());
    const now = Date.now();
    const compiled = compileLayers();
    const rule = ruleNamed(args.rule, compiled);
    if (Object.keys(rule.exceptions ?? {}).length === 0)
      throw new GovError({
        code: 'usage-no-exception',
        message: `\`${rule.id}\` declares no exceptions`,
        help:
          rule.level === 'hard'
            ? 'it is hard: nothing lifts it'
            : 'let a person lift it for a time: `gov elevate request`',
      });
    const taken = new Set((compiled.policy.waivers ?? []).map((w) => w.id));
    const id = flags.id ?? nextWaiverId(taken);
    if (taken.has(id)) throw new GovError({ code: 'usage-exists', message: `there is a waiver \`${id}\` already` });
    for (const name of ['reason', 'owner'] as const)
      if (flags[name].trim() === '')
        throw new GovError({ code: 'usage-empty', message: `--${name} is empty`, help: 'say it in a few words' });
    const text = withWaiver(readWaiverFile(), {
      id,
      rule: rule.id,
      exception: flags.exception,
      values: [Object.fromEntries(flags.value.map(fieldOf))],
      reason: flags.reason,
      owner: flags.owner,
      ...(flags['approved-by'] === undefined ? {} : { approved_by: flags['approved-by'] }),
      ...(flags.ticket === undefined ? {} : { ticket: flags.ticket }),
      not_before: instant(now),
      expires: instant(endOf(flags.expires, now)),
    });
    saveWaiverFile(text);
    const waiver = compileLayers().policy.waivers?.find((w) => w.id === id);
    if (!waiver) throw new GovError({ code: 'internal', message: 'the waiver that was written is not there' });
    this.say(`${id} lifts ${visible(rule.id)} until ${instant(waiver.expires)}: ${visible(waiverFile())}`);
    this.say('it holds after `gov policy build`');
    return listed(waiver, now);
  }
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0)
    throw new GovError({
      code: 'usage-value',
      message: `\`${text}\` is not of the form FIELD=VALUE`,
      help: '--value dir=/srv/docs/**',
    });
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Milliseconds since 1970 UTC. Throws GovError `usage-expires`. */
function endOf(text: string, now: number): number {
  if (/^\d+(?:\.\d+)?[smhd]/.test(text)) {
    try {
      return now + parseDuration(text);
    } catch {
      // Not a length of time: perhaps a date.
    }
  }
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (at > now) return at;
  throw new GovError({
    code: 'usage-expires',
    message: Number.isNaN(at) ? `\`${text}\` is no time` : `\`${text}\` is over already`,
    help: 'a length such as 30d, or a date such as 2026-11-01',
  });
}

function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
