import type { Invocation, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import { type Grammar, grammar, type Parsed, parseOptions } from './options.ts';
import { packageScripts } from './package-scripts.ts';
import { atDashes } from './words.ts';

const OPTIONS =
  'g global, D save-dev dev, E save-exact exact, O save-optional, P save-prod save-peer, prefix:, C dir cwd:, w workspace filter F:, ws workspaces r recursive, W ignore-workspace-root-check, c call shell-mode:, p package:, y yes, registry:, userconfig:, L location:, omit:, include:, tag:, access:, otp:, ignore-scripts, dry-run, json, silent s, loglevel:, f force, legacy-peer-deps, no-audit, no-fund, frozen-lockfile, immutable, depth:, m message:, no-git-tag-version, git-tag-version?, cache:, cache-folder:, script-shell:, no-install, workspace-root, if-present, parallel, stream, prefer-offline, offline, store-dir:, modules-folder:, mutex:, otp:, pack-destination:, q quiet, h help, no-save, save, verbose';

export const HEAD: Grammar = grammar(OPTIONS, { stopAtOperand: true });

const WHOLE: Grammar = grammar(OPTIONS);

/** One call of a package manager, its options before and after the verb put together. */
export interface Call {
  readonly inv: Invocation;
  readonly tool: string;
  readonly verb: string;
  /** Words after the verb, as written. */
  readonly words: readonly Value[];
  readonly args: Parsed;
  readonly directory: Value | null;
}

export function callOf(inv: Invocation): Call {
  const head = parseOptions(inv.argv, HEAD);
  const [verb, ...rest] = head.operands;
  const atDashes = rest.findIndex((w) => textOf(w) === '--');
  const own = atDashes < 0 ? rest : rest.slice(0, atDashes);
  const options = inv.argv.slice(1, inv.argv.length - head.operands.length);
  const args = parseOptions([[''], ...options, ...own], WHOLE);
  const directory = args.value('prefix') ?? args.value('C') ?? null;
  return { inv, tool: inv.name, verb: word(verb), words: rest, args, directory };
}

/** Words after the verb without the manager's own options at their start. */
export function program(call: Call): readonly Value[] {
  const list = parseOptions([[''], ...call.words], HEAD);
  const rest = list.operands;
  return textOf(rest[0] ?? []) === '--' ? rest.slice(1) : rest;
}

/** Directory of a workspace member named with `-w`, if it is a path. */
export function workspaceDirectory(call: Call): Value | null {
  if (call.directory) return call.directory;
  const member = call.args.value('w');
  const text = member ? textOf(member) : null;
  return text !== null && /^(?:\.\/|[\w-]+\/)/.test(text) && !text.startsWith('@') ? member : null;
}

/** What a script is given: npm keeps options for itself up to `--`, others pass all on. */
function scriptArgs(call: Call, args: readonly Value[]): readonly Value[] {
  if (call.tool !== 'npm') return textOf(args[0] ?? []) === '--' ? args.slice(1) : args;
  const { before, after } = atDashes(args);
  return [...before.filter((word) => call.args.operands.includes(word)), ...(after ?? [])];
}

export function runScript(call: Call, name: string, args: readonly Value[]): Outcome {
  return packageScripts(call.inv, {
    via: `${call.tool} run`,
    directory: workspaceDirectory(call),
    names: [name],
    args: scriptArgs(call, args),
    ignoreScripts: call.args.has('ignore-scripts'),
  });
}

export function cwdOf(call: Call): { readonly cwd?: Value } {
  return call.directory ? { cwd: call.directory } : {};
}
