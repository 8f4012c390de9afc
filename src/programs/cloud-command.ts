import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import type { Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import type { Parsed } from './options.ts';
import { classifySql } from './sql.ts';
import { merge } from './subcommands.ts';
import { pathOf, resourceCommand, type VerbRow } from './verbs.ts';
import { atDashes, joinWords, say } from './words.ts';

/** One cloud's command line: the paths that its verbs alone don't tell. */
export interface Cloud {
  readonly names: readonly string[];
  readonly summary: string;
  readonly rows: readonly VerbRow[];
  readonly groups?: RegExp;
  readonly from?: number;
  readonly options?: string;
  readonly more?: (path: string, args: Parsed, inv: Invocation) => Outcome;
}

const COMMON =
  'project p:, region r:, zone:, format:, output o:, filter:, limit:, account:, configuration:, name n:, resource-group g:, subscription:, query:, app a:, config c:, env e environment:, token t:, org:, scope S:, team:, tag:, image i:, file f:, site s:, dir d:, message m:, remote:, command:, location l:, type:, size:, value:, data:, only:, except:, description:, context:, cwd:, sort-by:, dry-run, recursive, force, yes y, quiet q, json, help h, version, verbose, prod, remote, local, linked, all, async';

/** The programs of a table. */
export const cloudPrograms = (clouds: readonly Cloud[]): readonly Program[] =>
  clouds.map((one) =>
    define({
      names: one.names,
      manual: `${one.names[0]} command-line reference`,
      summary: one.summary,
      options: withoutClashes(COMMON.split(', '), one.options?.split(', ') ?? []),
      style: { abbreviations: false },
      run: (args, inv) =>
        merge(
          resourceCommand(args, inv.name, one.rows, one.groups ?? null, one.from ?? 0),
          args.has('help', 'version') ? {} : (one.more?.(pathOf(args), args, inv) ?? {}),
        ),
    }),
  );

/** The common options without those a cloud defines itself. */
function withoutClashes(common: readonly string[], own: readonly string[]): readonly string[] {
  const taken = new Set(own.flatMap((line) => line.replace(/[:?]$/, '').split(' ')));
  const kept = common.map((line) => {
    const end = /[:?]$/.exec(line)?.[0] ?? '';
    const names = line
      .replace(/[:?]$/, '')
      .split(' ')
      .filter((n) => !taken.has(n));
    return names.length > 0 ? names.join(' ') + end : '';
  });
  return [...own, ...kept.filter((line) => line !== '')];
}

/** A command for a shell on another machine, from an option or after `--`. */
export function remoteShell(command: Value | null, args: Parsed, inv: Invocation, via: string): Outcome {
  const { after } = atDashes(inv.argv);
  const text = command && command.length > 0 ? command : after ? joinWords(after) : null;
  const nested: Nested[] = text && text.length > 0 ? [{ kind: 'script', via, text, elsewhere: 'remote' }] : [];
  const script = args.value('scripts') ?? args.value('exec-command');
  if (script) nested.push({ kind: 'script', via, text: script, elsewhere: 'remote' });
  return { nested };
}

/** A file of the user's home that is written. */
export function homeFile(inv: Invocation, path: string): Outcome {
  return { files: [{ op: 'write', path: [`${inv.world.home}/${path}`] }] };
}

/** What SQL text does to a database in the cloud; nothing when it is a local one. */
export function sqlText(text: Value | null, local: boolean, where: string): Outcome {
  if (!text || local) return {};
  const effects = classifySql(say(text)).flatMap((s): EffectDraft[] =>
    s.kind && s.kind !== 'db-read' && !s.scratch
      ? [{ kind: s.kind, target: s.target || where, detail: `${s.detail} (${where})` }]
      : [],
  );
  return { effects };
}
