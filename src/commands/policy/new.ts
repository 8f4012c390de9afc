import { existsSync, writeFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { unpackFacts } from '../../audit/format/body.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { compilePolicy } from '../../rulebook/compile.ts';
import { suggestion } from '../../rulebook/finding.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { RULE_ID } from '../../rulebook/shape-parts.ts';
import { ruleSkeleton, type SkeletonSource } from '../../rulebook/skeleton.ts';

interface NewResult {
  readonly id: string;
  readonly file: string | null;
  readonly text: string;
}

export default class PolicyNew extends GovCommand {
  static override summary = 'Start a rule, with both sides of its tests: anew, from a rule, from a call.';
  static override examples = [
    '<%= config.bin %> policy new mine.no-force > my-rules/no-force.yaml',
    '<%= config.bin %> policy new mine.no-force --from git.force-push',
    '<%= config.bin %> policy new mine.no-force --from-audit 1hf7ya --out no-force.yaml',
  ];
  static override args = { id: Args.string({ required: true, description: '`pack.object-what`' }) };
  static override flags = {
    from: Flags.string({ description: 'a rule to start from', helpValue: 'ID', exclusive: ['from-audit'] }),
    'from-audit': Flags.string({ description: 'a recorded decision to start from', helpValue: 'DECISION' }),
    title: Flags.string({ description: 'one line for lists' }),
    out: Flags.string({ char: 'o', description: 'file to write; never overwrites', helpValue: 'FILE' }),
  };

  async run(): Promise<NewResult> {
    const { args, flags } = await this.parse(PolicyNew);
    if (!RULE_ID.test(args.id))
      throw new GovError({
        code: 'usage-rule-id',
        message: `\`${args.id}\` is not the id of a rule`,
        help: '`pack.object-what`: lower case, digits and hyphens, such as `mine.no-force-push`',
      });
    const source: SkeletonSource = {
      id: args.id,
      ...(flags.title === undefined ? {} : { title: flags.title }),
      ...(flags.from === undefined ? {} : { like: ruleNamed(flags.from) }),
      ...(flags['from-audit'] === undefined ? {} : { seen: seenIn(flags['from-audit']) }),
    };
    const text = ruleSkeleton(source);
    if (flags.out === undefined) this.say(text.trimEnd());
    else {
      if (existsSync(flags.out))
        throw new GovError({
          code: 'usage-exists',
          message: `\`${flags.out}\` is there already`,
          help: 'name another file',
        });
      writeFileSync(flags.out, text);
      this.say(`${visible(flags.out)} written; next: \`gov policy test ${visible(flags.out)}\``);
    }
    return { id: args.id, file: flags.out ?? null, text };
  }
}

function ruleNamed(id: string): NonNullable<SkeletonSource['like']> {
  const { written } = compilePolicy(layersOf(govPaths(process.env)).sources);
  const found = written.find((w) => w.rule.id === id);
  if (found) return found.data;
  const ids = written.map((w) => w.rule.id);
  throw new GovError({
    code: 'usage-unknown-rule',
    message: `there is no rule \`${id}\``,
    help: suggestion(id, ids) || '`gov policy list` shows all',
  });
}

function seenIn(id: string): NonNullable<SkeletonSource['seen']> {
  return withStore((store) => {
    const { row, body } = store.show(id);
    if (!body?.facts)
      throw new GovError({
        code: 'usage-no-facts',
        message: `the record \`${row.id}\` holds no facts`,
        help: 'take a record of kind `decision`',
      });
    const facts = unpackFacts(body.facts, body.call);
    const { command } = body.call.input;
    return { facts, command: typeof command === 'string' ? command : null };
  });
}
