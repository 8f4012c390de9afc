import type { FileDraft } from '../model/effect.ts';
import { knownPrefix, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { drafts, isStdin } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import type { GrammarStyle, OptionLines, Parsed } from './options.ts';
import { outwardVerb } from './outward-verbs.ts';

interface OrdinaryRow {
  readonly names: readonly string[];
  readonly manual: string;
  readonly summary: string;
  readonly options?: OptionLines;
  readonly style?: GrammarStyle;
  /** Options whose value is a file or directory that is written. */
  readonly writes?: readonly string[];
  /** Options whose value is a file that is read. */
  readonly reads?: readonly string[];
  /** With one of these (or always, for `true`) the operands are rewritten in place. */
  readonly rewrites?: readonly string[] | true;
  /** With one of these nothing is rewritten after all (`--check`). */
  readonly unless?: readonly string[];
  /** Options whose value is a build file or other code. */
  readonly loads?: readonly string[];
  /** Its first word is a subcommand, and may say that it publishes. */
  readonly verbs?: boolean;
  /** Operands before the first path: a subcommand. */
  readonly skip?: number;
}

/** A development tool that works on the project: it reads, and writes only what its arguments name. */
export function ordinary(row: OrdinaryRow): Program {
  return define({
    names: row.names,
    manual: row.manual,
    summary: row.summary,
    ...(row.options === undefined ? {} : { options: row.options }),
    ...(row.style === undefined ? {} : { style: row.style }),
    run: (args, inv) => ({
      files: filesOf(row, args),
      effects: [
        ...strangeCode(
          inv,
          (row.loads ?? []).flatMap((name) => args.values(name)).filter((path) => /\//.test(knownPrefix(path))),
        ),
        ...(row.verbs ? outwardVerb(inv.name, inv.argv.slice(1)) : []),
      ],
    }),
  });
}

function filesOf(row: OrdinaryRow, args: Parsed): readonly FileDraft[] {
  const written = (row.writes ?? []).flatMap((name) => args.values(name)).filter(isFile);
  const read = (row.reads ?? []).flatMap((name) => args.values(name)).filter(isFile);
  const paths = args.operands.slice(row.skip ?? 0).filter((path) => isFile(path) && !isStdin(path));
  const rewrites =
    (row.rewrites === true || (row.rewrites !== undefined && args.has(...row.rewrites))) &&
    !(row.unless && args.has(...row.unless));
  return [
    ...drafts('read', read),
    ...drafts('write', written),
    ...(rewrites
      ? drafts('write', paths, { recursive: true, partial: true })
      : drafts('read', paths, { recursive: true })),
  ];
}

function isFile(value: Value): boolean {
  return value.length > 0 && textOf(value) !== '-' && textOf(value) !== '/dev/null';
}
