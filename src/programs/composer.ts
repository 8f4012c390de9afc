import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import type { Parsed } from './options.ts';
import { readText } from './package-scripts.ts';
import { merge } from './subcommands.ts';

/** The part of composer.json that `config KEY VALUE…` makes, as far as it says where packages come from or what is run. */
function settingOf([key, ...values]: readonly Value[]): string {
  const name = word(key);
  const texts = values.map(render);
  if (/^repositor/.test(name)) return JSON.stringify({ repositories: texts.map((url) => ({ url })) });
  const script = /^scripts\.(.+)$/.exec(name);
  return script ? JSON.stringify({ scripts: { [script[1] as string]: texts } }) : '{}';
}

export function composer(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  const scripts = (event: string): Outcome => composerScript(inv, args.value('d'), event, []);
  switch (name) {
    case 'install':
    case 'i':
    case 'update':
    case 'upgrade':
    case 'u':
      return {
        subcommand: name,
        ...merge(
          { effects: installs({ packages: [] }) },
          args.has('no-scripts')
            ? {}
            : merge(scripts(`pre-${name}-cmd`), scripts(`post-${name}-cmd`), scripts('post-autoload-dump')),
        ),
      };
    case 'require':
    case 'r':
      return { subcommand: name, effects: installs({ packages: rest, index: args.values('repository') }) };
    case 'global': {
      const action = word(rest[0]);
      if (action === 'require' || action === 'update')
        return {
          subcommand: `global ${action}`,
          effects: installs({ packages: rest.slice(1), global: true, what: 'global packages' }),
        };
      return {
        subcommand: `global ${action}`,
        nested: action === 'exec' ? [{ kind: 'argv', via: 'composer global exec', argv: rest.slice(1) }] : [],
      };
    }
    case 'create-project':
      return {
        subcommand: name,
        effects: installs({ packages: rest.slice(0, 1) }),
        files: drafts('create', rest.slice(1, 2), { recursive: true }),
      };
    case 'exec':
      return {
        subcommand: name,
        nested:
          rest.length > 0
            ? [{ kind: 'argv', via: 'composer exec', argv: textOf(rest[0] ?? []) === '--' ? rest.slice(1) : rest }]
            : [],
      };
    case 'run-script':
    case 'run':
      return { subcommand: name, ...composerScript(inv, args.value('d'), word(rest[0]), rest.slice(1)) };
    case 'config':
      return {
        subcommand: name,
        files:
          rest.length > 1 || args.has('unset')
            ? [
                draft(
                  'write',
                  [args.has('g') ? `${inv.world.home}/.config/composer/config.json` : 'composer.json'],
                  args.has('unset') ? {} : { content: known(settingOf(rest)) },
                ),
              ]
            : [],
      };
    case 'self-update':
    case 'selfupdate':
      return { subcommand: name, effects: [effect('install-global', 'composer')] };
    default:
      return { subcommand: name, ...(QUIET.has(name) ? {} : composerScript(inv, args.value('d'), name, rest)) };
  }
}

const QUIET = new Set(
  words(
    'show outdated validate dump-autoload dumpautoload audit why why-not depends prohibits licenses diagnose about archive browse check-platform-reqs clear-cache fund help init list remove reinstall search status suggests bump home',
  ),
);

/** A script of composer.json: shell text, `@php …`, `@other`, or a static method. */
function composerScript(
  inv: Invocation,
  directory: Value | null,
  name: string,
  args: readonly Value[],
  depth = 0,
): Outcome {
  const { real } = inv.world.resolve(inv.cwd, directory ?? ['.'], true);
  const text = real === null || name === '' || depth > 4 ? null : readText(inv, `${real}/composer.json`);
  if (text === null) return {};
  const lines = scriptLines(text, name);
  return merge(
    ...lines.map((line): Outcome => {
      const other = /^@(\w[\w:-]*)(.*)$/s.exec(line);
      if (other && other[1] !== 'php' && other[1] !== 'composer' && other[1] !== 'putenv')
        return composerScript(inv, directory, other[1] as string, args, depth + 1);
      if (/^[\w\\]+::\w+$/.test(line)) return {};
      return {
        nested: [
          {
            kind: 'script',
            via: `composer ${name}`,
            text: known([line.replace(/^@(?=php|composer)/, ''), ...args.map(render)].join(' ')),
            ...(directory ? { cwd: directory } : {}),
          },
        ],
      };
    }),
  );
}

function scriptLines(text: string, name: string): readonly string[] {
  try {
    const parsed = JSON.parse(text) as { scripts?: Record<string, unknown> };
    const script = parsed.scripts && Object.hasOwn(parsed.scripts, name) ? parsed.scripts[name] : undefined;
    const list = Array.isArray(script) ? script : [script];
    return list.filter((line): line is string => typeof line === 'string').slice(0, 50);
  } catch {
    return [];
  }
}
