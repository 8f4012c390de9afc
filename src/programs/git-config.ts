import type { EffectDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import { at, changesWhen, type Git, type GitCommand, setting } from './git-context.ts';
import type { Parsed } from './options.ts';
import { below, homeOf } from './paths.ts';
import { printsSecret } from './subcommands.ts';
import { drop, say, starts } from './words.ts';

/** Keys whose value is a command that git runs with the shell; git-config(1). */
const COMMAND_KEY = new RegExp(
  `^(${[
    'core\\.(sshcommand|pager|editor|askpass|fsmonitor|gitproxy|alternaterefscommand)',
    'pager\\..*',
    'sequence\\.editor',
    'diff\\.external|diff\\..*\\.(command|textconv)',
    '(difftool|mergetool|guitool|browser|man)\\..*\\.(cmd|path)',
    'merge\\..*\\.driver',
    'filter\\..*\\.(clean|smudge|process)',
    'credential\\.(.*\\.)?helper',
    'gpg\\.(.*\\.)?(program|defaultkeycommand)',
    'interactive\\.difffilter',
    'sendemail\\.(.*\\.)?(tocmd|cccmd|headercmd|sendmailcmd)',
    'uploadpack\\.packobjectshook',
    'remote\\..*\\.(uploadpack|receivepack|vcs)',
    'trailer\\..*\\.(command|cmd)',
    'submodule\\..*\\.update',
    'hook\\..*\\.command',
    'web\\.browser|instaweb\\.httpd',
    'sendemail\\.(.*\\.)?smtpserver',
  ].join('|')})$`,
);

/** Keys that bring in other code, other settings or another place to work with. */
const REDIRECT_KEY =
  /^(core\.(hookspath|worktree|attributesfile)|init\.templatedir|include(if\..*)?\.path|url\..*\.(insteadof|pushinsteadof)|protocol\.(.*\.)?allow|remote\..*\.(url|pushurl|mirror)|http\.(.*\.)?(proxy|sslverify|sslcainfo|sslcapath))$/;

/** Values that thousands of people have set and that run nothing else. */
const USUAL: readonly (readonly [RegExp, RegExp])[] = [
  [
    /pager|editor|interactive\.difffilter/,
    /^(true|false|:|cat|less|more|most|delta|bat|diff-so-fancy|diff-highlight|vim?|nvim|nano|emacs|emacsclient|code|cursor|subl|zed|hx|ed|sed)?( (?!.*(?:!|--(?:pager|eval|cmd)\b|system|['"\d]e\s|\/\w*e['"\s]|\/\w*e$))[^;&|`$()<>]*)?$/,
  ],
  [/^core\.sshcommand$/, /^ssh( (?!.*(proxycommand|localcommand|knownhostscommand))[^;&|`$()<>]*)?$/i],
  [/^core\.fsmonitor$/, /^(true|false|1|0)?$/],
  [/helper$/, /^(cache.*|osxkeychain|manager(-core)?|libsecret|wincred|!(\S*\/)?gh auth git-credential|)$/],
  [/^filter\.lfs\./, /^git[- ]lfs /],
  [/^gpg\..*program$/, /^(\S*\/)?(gpg2?|ssh-keygen|gpgsm)$/],
  [/^merge\..*\.driver$/, /^(true|false|union)$/],
  [/^submodule\./, /^(checkout|rebase|merge|none)$/],
  [/\.allow$/, /^(never|user)$/],
  [/^http\..*proxy$/, /^$/],
  [/^http\..*sslverify$/, /^(true|1|yes|on)$/i],
  [/smtpserver$/, /^[^/]/],
];

/** What setting a key makes git do later, or null for an ordinary setting. */
function configEffect(key: string, value: Value): EffectDraft | null {
  const text = textOf(value);
  const alias = key.startsWith('alias.');
  if (alias ? !starts(value, '!') && text !== null : !COMMAND_KEY.test(key) && !REDIRECT_KEY.test(key)) return null;
  if (/^submodule\..*\.update$/.test(key) && text !== null && !text.startsWith('!')) return null;
  if (text !== null && USUAL.some(([keys, values]) => keys.test(key) && values.test(text))) return null;
  return { kind: 'vcs-config', target: key, detail: say(value), ...(text === null ? { certain: false } : {}) };
}

/** The shell text that a key makes git run, when it is a command. */
function configScript(key: string, value: Value): Value | null {
  if (!COMMAND_KEY.test(key) || value.length === 0) return null;
  if (key === 'core.fsmonitor' && /^(true|false)$/.test(word(value))) return null;
  if (/helper$|^submodule\./.test(key)) return starts(value, '!') ? drop(value, 1) : starts(value, '/') ? value : null;
  return value;
}

/** An option that makes git run a program, as the setting it amounts to; nothing when the program is a usual one. */
export function programOption(option: string, value: Value, usual: RegExp): readonly EffectDraft[] {
  const text = textOf(value);
  if (text !== null && usual.test(text)) return [];
  return [{ kind: 'vcs-config', target: option, detail: say(value), ...(text === null ? { certain: false } : {}) }];
}

/** Settings for this command alone: what each would run, and that it is set where it is not usual. */
export function oneOffSettings(git: Git): Outcome {
  return given(git.config);
}

/** Settings of a new clone, `clone -c key=value`: they hold from its first checkout on. */
export function cloneSettings(words: readonly Value[]): Outcome {
  return given(new Map(words.map(setting).filter((entry) => entry !== null)));
}

function given(settings: ReadonlyMap<string, Value>): Outcome {
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  for (const [key, value] of settings) {
    if (key.startsWith('alias.')) continue;
    const effect = configEffect(key, value);
    if (effect) effects.push(effect);
    // Usual programs have options that run others.
    const text = effect || /\s/.test(render(value)) ? configScript(key, value) : null;
    if (text) nested.push({ kind: 'script', via: `git -c ${key}`, text });
  }
  return { effects, nested };
}

/** `git config`. */
export const gitConfig: readonly GitCommand[] = [
  changesWhen(
    changesConfig,
    'config',
    'global, system, local, worktree, f file:, blob:, get, get-all, get-regexp, get-urlmatch, get-color, get-colorbool, replace-all, add, unset, unset-all, rename-section, remove-section, l list, e edit, t type:, bool, int, bool-or-int, path, expiry-date, z null, name-only, show-origin, show-scope, includes, no-includes, default:, fixed-value, comment:, all, append, value:, url:, regexp, show-names',
    config,
  ),
];

const READING = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool', 'list'];

/** True for the forms that set, unset or edit. */
function changesConfig(args: Parsed): boolean {
  const verb = word(args.operands[0]);
  if (READING.some((option) => args.has(option)) || ['get', 'list'].includes(verb)) return false;
  return args.operands.length > 1 || args.has('edit', 'unset', 'unset-all', 'remove-section') || verb === 'edit';
}

function config(args: Parsed, git: Git): Outcome {
  const verb = word(args.operands[0]);
  if (!changesConfig(args)) {
    const asked = args.operands
      .map(word)
      .find((key) => /^http\..*extraheader$|^credential\..*\.(password|token)$/i.test(key));
    return asked ? printsSecret(asked) : {};
  }
  const named = ['set', 'unset', 'edit', 'rename-section', 'remove-section'].includes(verb);
  const [key, value] = named ? args.operands.slice(1) : args.operands;
  const removing =
    args.has('unset', 'unset-all', 'rename-section', 'remove-section', 'edit') || (named && verb !== 'set');
  if (!removing && (!key || !value)) return {};
  const file = args.value('file');
  const path = file
    ? at(git, file)
    : args.has('global')
      ? below(homeOf(git.inv), ['.gitconfig'])
      : args.has('system')
        ? (['/etc/gitconfig'] as Value)
        : null;
  const files = path ? ([{ op: 'write', path }] as const) : [];
  if (removing) return { files };
  const name = textOf(key as Value);
  if (name === null)
    return { files, effects: [{ kind: 'vcs-config', target: say(key), detail: say(value), certain: false }] };
  const effect = configEffect(name.toLowerCase(), value as Value);
  const purges =
    /^gc\.(pruneexpire|reflogexpire|reflogexpireunreachable)$/i.test(name) && /^(now|all)$/.test(word(value));
  return {
    files,
    effects: [
      ...(effect ? [{ ...effect, target: name }] : []),
      ...(purges
        ? [{ kind: 'vcs-rewrite' as const, target: 'unreachable objects', detail: `${name} ${word(value)}` }]
        : []),
    ],
  };
}
