import type { EffectKind } from '../model/effect-kinds.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { textOf } from '../model/value.ts';

/** Kinds of effects of command lines whose programs print a help text and end, whatever verb stands before it. */
const OF_SUBCOMMANDS: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'infra-apply',
  'infra-destroy',
  'publish',
  'unpublish',
  'db-write',
  'db-delete',
  'db-drop',
  'share-publicly',
  'install',
  'install-global',
  'install-remote',
  'install-system',
  'persistence',
  'service',
  'power',
  'account',
]);

/** What every program answers with a text when it is all that is said. */
const ALONE = /^--(?:help|version)$/;
const HELP = /^--?help$/;
/** `volume rm`, `pg:reset`, `manage.py flush`: verbs and groups, no paths, addresses or statements. */
const VERB = /^[\w][\w.:-]*$/;
const MOST_VERBS = 4;
/** Their operands are sent on or stand for a name, whatever they look like. */
const NO_HELP = /^(?:redis-cli|valkey-cli|keydb-cli|mc|memcached-tool|yarn|rake|make|just|task)$/;

/**
 * `docker volume rm --help`, `aws s3 rb help`: nothing but verbs and then the request, so that programs which stop
 * reading options at the first operand get it too. Files and code that are run stay as they are.
 */
export function withoutWhatHelpExplains(invocation: Invocation, outcome: Outcome): Outcome {
  const { argv, name } = invocation;
  const [, only] = argv;
  if (argv.length === 2 && ALONE.test(textOf(only ?? []) ?? ''))
    return { ...outcome, effects: [], files: [], nested: [], dests: [] };
  if (argv.length < 2 || argv.length > MOST_VERBS + 2 || !isAsked(invocation) || NO_HELP.test(name)) return outcome;
  const verbs = argv.slice(1, -1).map(textOf);
  if (!verbs.every((verb) => verb !== null && VERB.test(verb)) || (outcome.nested ?? []).length > 0) return outcome;
  const settings = (outcome.files ?? []).filter((file) => file.op !== 'write' && file.op !== 'create');
  const effects = (outcome.effects ?? []).filter(({ kind }) => !OF_SUBCOMMANDS.has(kind));
  return { ...outcome, effects, files: verbs.length > 0 ? settings : (outcome.files ?? []), dests: [] };
}

function isAsked({ argv, name }: Invocation): boolean {
  const last = textOf(argv[argv.length - 1] ?? []);
  return last !== null && (HELP.test(last) || (last === 'help' && /^(?:aws|awslocal)$/.test(name)));
}
