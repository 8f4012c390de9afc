import type { DestDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { words } from './define.ts';
import { effect } from './drafts.ts';
import { installs } from './installs.ts';

/** Where a runner's own options end: its options that take a value. */
const VALUED = new Set(
  words(
    '--with --with-editable --with-requirements --python -p --directory --project --extra --group --env-file --index --index-url --default-index --package --from -n --name --prefix --cwd -C -e --env --only-group --no-group --isolated-dir --refresh-package -P',
  ),
);

/** The program after a runner's own options, and the options before it. */
export function afterOptions(
  list: readonly Value[],
  valued: ReadonlySet<string> = VALUED,
): { readonly own: readonly Value[]; readonly rest: readonly Value[] } {
  let i = 0;
  for (; i < list.length; i++) {
    const text = render(list[i] as Value);
    if (text === '--') return { own: list.slice(0, i), rest: list.slice(i + 1) };
    if (!text.startsWith('-')) break;
    if (text === '-' || text === '-m' || text === '--module' || text === '-s' || text === '--script') break;
    if (valued.has(text)) i++;
  }
  return { own: list.slice(0, i), rest: list.slice(i) };
}

/** `uv run`, `poetry run`: a program, a Python file, `-m module`, `-` or a URL. */
export function runnerOutcome(inv: Invocation, via: string, list: readonly Value[]): Outcome {
  const { own, rest } = afterOptions(list);
  const directory = valueAfter(own, '--directory') ?? valueAfter(own, '--cwd') ?? valueAfter(own, '-C');
  const [first, ...more] = rest;
  if (!first) return {};
  const text = render(first);
  const base = directory ? { via, cwd: directory } : { via };
  if (/^https?:\/\//.test(text))
    return { dests: [urlDest(first)], effects: [effect('exec-remote', text, `${via} runs code from the network`)] };
  const isPython = text === '-' || text === '-m' || /\.pyw?$/.test(text) || text === '--script' || text === '-s';
  const argv =
    text === '--script' || text === '-s' || text === '--module'
      ? [known('python'), ...(text === '--module' ? [known('-m')] : []), ...more]
      : isPython
        ? [known('python'), ...rest]
        : rest;
  const nested: Nested = { kind: 'argv', argv, stdin: inv.stdin, ...base };
  return { nested: [nested], ...withPackages(own) };
}

function urlDest(address: Value): DestDraft {
  return { address, sends: 'nothing' };
}

export function valueAfter(list: readonly Value[], name: string): Value | null {
  const at = list.findIndex((w) => textOf(w) === name);
  return at < 0 ? null : (list[at + 1] ?? null);
}

/** `uv run --with PACKAGE`. */
function withPackages(own: readonly Value[]): Outcome {
  const packages = own.flatMap((w, at) => (textOf(own[at - 1] ?? []) === '--with' ? [w] : []));
  return packages.length > 0 ? { effects: installs({ packages }) } : {};
}

/** Tools run from a registry: `uvx ruff`, `pipx run black`. */
export function fetchedTool(inv: Invocation, via: string, list: readonly Value[]): Outcome {
  const { own, rest } = afterOptions(list);
  const from = valueAfter(own, '--from') ?? valueAfter(own, '--spec');
  const [first, ...more] = rest;
  if (!first) return {};
  const name = render(first)
    .replace(/(?:@|==).*$/, '')
    .replace(/\[.*\]$/, '');
  return {
    effects: installs({ packages: [from ?? first] }),
    nested: [{ kind: 'argv', via, argv: [known(name), ...more], stdin: inv.stdin }],
  };
}
