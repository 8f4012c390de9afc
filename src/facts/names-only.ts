import type { CommandFact, EffectFact, FileFact } from '../model/facts.ts';
import { isSecretName } from '../programs/secret-names.ts';
import type { Findings } from './findings.ts';

/**
 * Takes back what looks like a look at secrets but shows only names: `cut -d= -f1 .env`, `env | sort | cut -d= -f1`,
 * `grep -c . .env`, `env | grep '^LANG='`. The names of variables are no secret. What such a pipeline sends or writes
 * elsewhere keeps its taint; only the reading itself is taken back.
 */
export function withoutNameReads(found: Findings): Findings {
  const shown = new Set(found.commands.filter((c) => showsOnlyNames(c, found.commands)).map((c) => c.id));
  if (shown.size === 0) return found;
  const isNames = (x: EffectFact | FileFact): boolean =>
    shown.has(x.command) && ('kind' in x ? x.kind === 'secret-read' && x.target === 'environment' : isDotenvRead(x));
  const effects = (list: readonly EffectFact[]): EffectFact[] => list.filter((e) => !isNames(e));
  const files = (list: readonly FileFact[]): FileFact[] => list.map((f) => (isNames(f) ? { ...f, op: 'list' } : f));
  return {
    ...found,
    effects: effects(found.effects),
    files: files(found.files),
    commands: found.commands.map((c) =>
      shown.has(c.id) ? { ...c, effects: effects(c.effects), targets: files(c.targets) } : c,
    ),
  };
}

function isDotenvRead(file: FileFact): boolean {
  return file.op === 'read' && file.secret === true && !file.glob && /(^|\/)(\.env[^/]*|[^/]+\.env)$/.test(file.path);
}

/** Filters that pass some of their lines on as they are. */
const SELECTS = /^(grep|egrep|rg|sort|uniq|head|tail|cat)$/;

/** True if all that a command reads comes out as names, by itself or further down its pipeline. */
function showsOnlyNames(command: CommandFact, all: readonly CommandFact[]): boolean {
  if (command.dynamic || command.via.length > 0) return false;
  if (isEditInPlace(command)) return true;
  const whole = isWholeEnvironment(command);
  if (!whole && isNameFilter(command)) return true;
  if (!whole && !(SELECTS.test(command.name ?? '') && isPlain(command))) return false;
  for (let at = command.id + 1; at < all.length; at++) {
    const next = all[at] as CommandFact;
    const place = command.pipeline_index + (at - command.id);
    const follows = next.pipeline_index === place && next.name === command.pipeline[place];
    if (!follows || next.dynamic || next.via.length > 0) return false;
    if (isNameFilter(next) || (whole && at === command.id + 1 && isOrdinarySearch(next))) return true;
    if (!SELECTS.test(next.name ?? '') || !isPlain(next)) return false;
  }
  return false;
}

/** `sed -i`: what it reads goes back where it was and is not shown, unless the script writes it to another file too. */
function isEditInPlace({ name, argv, targets }: CommandFact): boolean {
  if (!/^g?sed$/.test(name ?? '') || !argv.some((w) => /^(-[Enrs]*i|--in-place)/.test(w))) return false;
  const read = new Set(targets.filter((f) => f.op === 'read').map((f) => f.real));
  const isOwn = (path: string): boolean => [...read].some((r) => r !== null && path.startsWith(r));
  return (
    targets.every((f) => f.op === 'read' || (f.real !== null && isOwn(f.real))) && !argv.some((w) => /\/dev\//.test(w))
  );
}

function isWholeEnvironment({ argv, redirects }: CommandFact): boolean {
  return argv.length === 1 && redirects.length === 0 && /^(env|printenv)$/.test(argv[0] as string);
}

/** Nothing is written on the side, no file of patterns. */
function isPlain({ argv, redirects }: CommandFact): boolean {
  return redirects.every((r) => /^(2>|<)/.test(r)) && argv.slice(1).every((w) => !/^(-o|--output|-f|--file)/.test(w));
}

/** A filter that keeps the name before the `=` of each line, or counts. */
function isNameFilter({ name, argv }: CommandFact): boolean {
  const words = argv.slice(1);
  const options = words.filter((w) => w.startsWith('-')).join(' ');
  const [program] = words.filter((w) => !w.startsWith('-') && w !== '=');
  switch (name) {
    case 'wc':
      return true;
    case 'cut': {
      const text = words.slice(0, 4).join(' ');
      return /^(-d ?= -f ?1|-f ?1 -d ?=)( |$)/.test(text) && !words.some((w) => /^--(com|out)/.test(w));
    }
    case 'awk':
    case 'gawk':
    case 'mawk':
      return (
        /^-F=?$/.test(options) &&
        words.join(' ').startsWith('-F') &&
        /^(?:!?\/[^/;{}]*\/ ?)?\{ ?print \$1;? ?\}$/.test(program ?? '')
      );
    case 'sed':
      return /^(-[Er])?$/.test(options) && isCutting(program ?? '');
    case 'grep':
    case 'egrep':
      return isCount(words) || isNamePattern(words);
    default:
      return false;
  }
}

/** A substitution that takes away what follows the first `=`, and does no more. */
function isCutting(script: string): boolean {
  const [verb, pattern, replacement, flags, more] = script.split(script.charAt(1));
  const whole = verb === 's' && more === undefined && /^=\.[*+]\$?$/.test(pattern ?? '');
  return whole && replacement !== undefined && !/[\\&\n]/.test(replacement) && /^g?$/.test(flags ?? '-');
}

function isCount(words: readonly string[]): boolean {
  return (
    words.some((w) => /^-[a-zA-Z]*[cq]$|^--(count|quiet)$/.test(w)) && !words.some((w) => /^-[a-zA-Z]*[fo]/.test(w))
  );
}

/** `grep -o '^[A-Z_]*='` */
function isNamePattern(words: readonly string[]): boolean {
  const [pattern, ...files] = words.filter((w) => !w.startsWith('-'));
  const options = words.filter((w) => w.startsWith('-'));
  return (
    options.length > 0 &&
    options.every((w) => /^-[oEhP]+$/.test(w)) &&
    options.some((w) => w.includes('o')) &&
    /^\^(\[A-Z[A-Za-z0-9_-]*\]|\[\^=\]|\\w)(\\?[+*])?(\[[A-Za-z0-9_-]+\]\*)?=?$/.test(pattern ?? '') &&
    files.every((f) => !f.startsWith('-'))
  );
}

// First words of variables that say how tools work on this machine; none of them is known for keys.
const ORDINARY =
  /^(PATH|HOME|LANG|LC|TERM|SHELL|USER|LOGNAME|PWD|NODE_ENV|NODE_OPTIONS|NODE_PATH|NODE_VERSION|NVM|FNM|VOLTA|PYTHON\w*|VIRTUAL_ENV|CONDA|PYENV|JAVA|JAVA_HOME|GOPATH|GOROOT|GOFLAGS|GOOS|GOARCH|CARGO_HOME|RUSTUP|RUSTFLAGS|RUST_LOG|RUST_BACKTRACE|CI|DEBUG|TMP|TMPDIR|TEMP|XDG|DISPLAY|WAYLAND|EDITOR|PAGER|PORT|LD|LD_PRELOAD|LD_LIBRARY_PATH|DYLD\w*|CC|CXX|CFLAGS|LDFLAGS|CMAKE|PKG_CONFIG|ANDROID|ANDROID_HOME|CUDA|OMP|WSL|MANPATH|SHLVL|COLORTERM|NO_COLOR|FORCE_COLOR)$/;

/** `grep '^NODE_ENV='`, `grep -E 'PATH|HOME'`: variables that are named and hold no secret. */
function isOrdinarySearch({ name, argv, redirects }: CommandFact): boolean {
  if (!/^(grep|egrep|rg)$/.test(name ?? '') || redirects.some((r) => !/^(2>|<)/.test(r))) return false;
  const words = argv.slice(1);
  const operands = words.filter((w) => !w.startsWith('-'));
  const options = words.filter((w) => w.startsWith('-'));
  if (operands.length !== 1 || !options.every((w) => /^-[EiPwnx]+$/.test(w))) return false;
  const names = (operands[0] as string).replace(/^\^?\((.*)\)=?$/, '$1').split(/\\?\|/);
  return names.every((part) => {
    const exact = /^\^?([A-Za-z_][A-Za-z0-9_]*)=$/.exec(part) ?? /^\(?\^([A-Za-z_]\w*)\)?=$/.exec(part);
    const bare = part.replace(/^\^/, '').replace(/_$/, '').toUpperCase();
    return (exact !== null && !isSecretName(exact[1] as string)) || ORDINARY.test(bare);
  });
}
