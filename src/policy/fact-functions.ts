import type { CommandFact, DestFact, FileFact } from '../model/facts.ts';
import type { Compiled, Run } from './expression.ts';
import type { Special, Strict } from './functions.ts';
import { compileGlobs, type TextTest } from './glob.ts';
import { CelFault, type Scope, spend, UNKNOWN } from './scope.ts';
import { succeeded } from './succeeded.ts';
import { touches } from './touch.ts';

/** What rules ask of commands, files and destinations. */
export const FACT_FUNCTIONS: Readonly<Record<string, Strict | Special>> = {
  hasFlag: (_scope, command: CommandFact, ...names: string[]) => names.some((name) => command.flags.includes(name)),
  matchesAny: { compile: (args) => onGlobs(args, (subject, test) => test(pathOf(subject) as string)) },
  touches: { compile: compileTouches },
  does: { compile: compileDoes },
  under: (scope, subject: FileFact | string, dir: string) => {
    const path = pathOf(subject);
    return path === UNKNOWN ? UNKNOWN : isUnder(path, expandHome(dir, scope));
  },
  inDomain: (_scope, subject: DestFact | string, domains: string | readonly string[]) => {
    const host = typeof subject === 'string' ? subject.toLowerCase() : subject.host;
    if (host === UNKNOWN) return UNKNOWN;
    return (typeof domains === 'string' ? [domains] : domains).some((d) => isInDomain(host, d.toLowerCase()));
  },
  runs: (_scope, command: CommandFact, via: string) => command.via.includes(via),
  secrets: (scope, text: string) => {
    if (!scope.services.secrets) throw new CelFault('secrets: not available here');
    spend(scope, text.length >> 4);
    return scope.services.secrets(text);
  },
  evidence: (scope, kind: string, key: string) => scope.evidence(kind, key),
  succeeded: (scope, command: CommandFact) => succeeded(command, scope.globals),
};

/** The text that globs are compared with; null if it is not known. */
function pathOf(subject: FileFact | string): string | null {
  return typeof subject === 'string' ? subject : subject.real;
}

function expandHome(path: string, scope: Scope): string {
  const full = path === '~' ? scope.home : path.startsWith('~/') ? scope.home + path.slice(1) : path;
  return full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full;
}

function isUnder(path: string, dir: string): boolean {
  return path === dir || (path.startsWith(dir) && (dir === '/' || path[dir.length] === '/'));
}

/** `a.example.org` is in `example.org`, `*.example.org` and `a.example.org`. */
function isInDomain(host: string, domain: string): boolean {
  const base = domain.startsWith('*.') ? domain.slice(2) : domain;
  return host === base ? base === domain : host.endsWith(`.${base}`);
}

const globCache = new WeakMap<readonly string[], { home: string; test: TextTest }>();

function globsOf(patterns: readonly string[], home: string): TextTest {
  const cached = globCache.get(patterns);
  if (cached?.home === home) return cached.test;
  const test = compileGlobs(patterns, home);
  globCache.set(patterns, { home, test });
  return test;
}

function onGlobs(args: readonly Compiled[], apply: (subject: FileFact | string, test: TextTest) => boolean): Run {
  const [subject, patterns] = args as [Compiled, Compiled];
  return (scope) => {
    const s = subject.run(scope) as FileFact | string | null;
    const p = patterns.run(scope) as readonly string[] | null;
    if (s === UNKNOWN || p === UNKNOWN || pathOf(s) === UNKNOWN) return UNKNOWN;
    spend(scope, p.length);
    return apply(s, globsOf(p, scope.home));
  };
}

function compileTouches(args: readonly Compiled[]): Run {
  const [file, patterns] = args as [Compiled, Compiled];
  return (scope) => {
    const f = file.run(scope) as FileFact | null;
    const p = patterns.run(scope) as readonly string[] | null;
    if (f === UNKNOWN || p === UNKNOWN || f.real === UNKNOWN) return UNKNOWN;
    spend(scope, p.length);
    return globsOf(p, scope.home)(f.real) || touches(f, f.real, p, scope.home, scope.workspace);
  };
}

/** True if the command surely has an effect of the kind (a glob), UNKNOWN if it was only guessed. */
function compileDoes(args: readonly Compiled[]): Run {
  const [command, ...kinds] = args as [Compiled, ...Compiled[]];
  const test = compileGlobs(
    kinds.map((kind) => String(kind.constant)),
    '',
  );
  return (scope) => {
    const c = command.run(scope) as CommandFact | null;
    if (c === UNKNOWN) return UNKNOWN;
    let guessed = false;
    for (const effect of c.effects) {
      if (!test(effect.kind)) continue;
      if (effect.certain) return true;
      guessed = true;
    }
    if (!guessed) return false;
    scope.uncertain = true;
    return scope.trusting ? true : UNKNOWN;
  };
}
