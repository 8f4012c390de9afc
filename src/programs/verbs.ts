import type { EffectKind } from '../model/effect-kinds.ts';
import type { Outcome } from '../model/program.ts';
import { textOf } from '../model/value.ts';
import type { Parsed } from './options.ts';
import { QUIET } from './streams.ts';
import { say } from './words.ts';

/** A subcommand path and what it does; null: it only looks. The first row that fits decides. */
export type VerbRow = readonly [path: RegExp, kind: EffectKind | null];

const LOOKS =
  /^(list|ls|describe|get|show|view|logs?|tail|status|info|inspect|search|find|query|print|diff|plan|preview|validate|lint|check|verify|version|help|whoami|history|events|top|explain|wait|watch|doctor|completion|estimate|head|count|browse|fmt|format|graph|metrics|usage|exists|batch-get|lookup|filter|test|ping|tree|env|dev|open|docs|regions|sizes)(-|$)/;
const DESTROYS =
  /^(delete|destroy|remove|rm|rb|del|purge|terminate|drop|deregister|decommission|wipe|reset|empty|uninstall|teardown|prune|abandon|revoke|undeploy|schedule-(key-)?deletion|batch-delete|force-delete|nuke|shutdown|disable)(-|$)/;
const APPLIES =
  /^(create|add|apply|update|set|put|deploy|edit|modify|import|restore|start|stop|restart|reboot|scale|resize|enable|attach|detach|rollback|promote|publish|push|sync|cp|copy|mv|move|rename|patch|replace|upgrade|install|tag|untag|associate|disassociate|grant|authorize|register|run|invoke|submit|execute|send|rotate|migrate|link|unlink|clone|provision|import-key-pair|allocate|release|assign|change|configure|new|init|up|redeploy|failover|swap|regenerate|generate|reset-password|activate|cancel|pause|resume|suspend|unsuspend|upload)(-|$)/;

/** What a verb of a resource command does, by its name; null when it only looks or is not known. */
function verbKind(verb: string): EffectKind | null | undefined {
  if (LOOKS.test(verb)) return null;
  if (DESTROYS.test(verb)) return 'infra-destroy';
  if (APPLIES.test(verb)) return 'infra-apply';
  return undefined;
}

/** The leading certain words of the operands, joined: `s3 rm`. */
export function pathOf(args: Parsed, most = 5): string {
  const words: string[] = [];
  for (const operand of args.operands.slice(0, most)) {
    const text = textOf(operand);
    if (text === null) break;
    words.push(text);
  }
  return words.join(' ');
}

/**
 * A command of the shape `cli GROUP… VERB NAME`: first the rows that are written down, else the first word that reads
 * as a verb. `groups` are nouns that look like verbs (`gcloud run services list`); no verb stands
 * before word `from`.
 */
export function resourceCommand(
  args: Parsed,
  name: string,
  rows: readonly VerbRow[],
  groups: RegExp | null = null,
  from = 0,
): Outcome {
  const path = pathOf(args);
  const facts: Outcome = { subcommand: pathOf(args, 3), ...{ stdout: QUIET } };
  if (args.has('help', 'dry-run', 'dryrun', 'version')) return facts;
  const row = rows.find(([pattern]) => pattern.test(path));
  const kind = row ? row[1] : byWords(path.split(' ').slice(from), groups);
  if (!kind) return facts;
  const detail = `${name} ${path}`.slice(0, 120);
  const target = say(...args.operands.slice(1).slice(-2)) || path;
  if (kind === 'secret-read')
    return { ...facts, effects: [{ kind, target, detail }], stdout: { value: null, taints: ['secret'] } };
  return {
    ...facts,
    effects: [
      {
        kind,
        target,
        detail,
        ...(args.has('recursive') ? { recursive: true } : {}),
        ...(args.has('force') ? { force: true } : {}),
      },
    ],
  };
}

function byWords(words: readonly string[], groups: RegExp | null): EffectKind | null {
  for (const word of words) {
    if (groups?.test(word)) continue;
    // Some tools write `resource:verb`.
    const verb = word.includes(':') ? word.slice(word.lastIndexOf(':') + 1) : word;
    const kind = verbKind(verb);
    if (kind !== undefined) return kind;
  }
  return null;
}
