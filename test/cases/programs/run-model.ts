import { describe, expect, it } from 'vitest';
import type { DestDraft, EffectDraft, FileDraft } from '../../../src/model/effect.ts';
import type { Invocation, Nested, Outcome } from '../../../src/model/program.ts';
import { concat, EMPTY_STREAM, known, render, type Stream, textOf, type Value } from '../../../src/model/value.ts';
import type { Overlay } from '../../../src/model/world.ts';
import { type Program, runModel } from '../../../src/programs/define.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';

const HOME = '/home/dev';
const WORKSPACE = '/home/dev/project';

/** What a case may pin of the surroundings. */
export interface Around {
  /** Files by path, relative to the workspace or absolute. */
  readonly files?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Stream;
}

/**
 * Runs a model on a command line written as in a shell: quotes group, `$X` is a word part of unknown text (tainted
 * secret when its name holds SECRET or TOKEN), `$n` one that is certain to be a plain name, `*` a pattern.
 */
export function runLine(programs: readonly Program[], line: string, around: Around = {}): Outcome {
  const argv = wordsOf(line);
  const name = (textOf(argv[0] ?? []) ?? '').replace(/^.*\//, '');
  const program = programs.find((p) => p.names.includes(name));
  if (!program) throw new Error(`no model of ${name}`);
  return runModel(program, invocationOf(name, argv, around));
}

/** Command line, everything it does (`linesOf`), and what of the surroundings matters. */
export type Row = readonly [line: string, want: readonly string[], around?: Around];

/** One test per row. */
export function runTable(title: string, programs: readonly Program[], rows: readonly Row[]): void {
  describe(title, () => {
    for (const [line, want, around] of rows) {
      it(around ? `${line}  # ${JSON.stringify(around)}` : line, () => {
        expect(linesOf(runLine(programs, line, around))).toEqual(want);
      });
    }
  });
}

/**
 * The outcome as one line per file, destination, effect and nested code, in that order. What every changing subcommand
 * of git has is tested by itself.
 */
export function linesOf(outcome: Outcome): readonly string[] {
  return [
    ...(outcome.files ?? []).map(fileLine),
    ...(outcome.dests ?? []).map(destLine),
    ...(outcome.effects ?? []).filter(({ kind }) => kind !== 'vcs-change').map(effectLine),
    ...(outcome.nested ?? []).map(nestedLine),
  ];
}

function fileLine(d: FileDraft): string {
  const marks = [
    d.recursive && '-r',
    d.force && '-f',
    d.partial && 'some',
    d.contentsOnly && 'inside',
    d.certain === false && '?',
  ];
  return [d.op, show(d.path), d.to ? `-> ${show(d.to)}` : '', ...marks].filter(Boolean).join(' ');
}

function destLine(d: DestDraft): string {
  const scheme = d.scheme ? `${d.scheme} ` : '';
  return `to ${scheme}${show(d.address)}${d.port ? `:${d.port}` : ''} ${d.sends}${d.method ? ` ${d.method}` : ''}${d.certain === false ? ' ?' : ''}`;
}

function effectLine(e: EffectDraft): string {
  return [e.kind, e.target ?? '', e.force && '-f', e.certain === false && '?'].filter(Boolean).join(' ');
}

function nestedLine(n: Nested): string {
  const marks = `${n.elsewhere ? `@${n.elsewhere}` : ''}${n.privileged ? ' root' : ''}${n.certain === false ? ' ?' : ''}`;
  const mounts = (n.mounts ?? []).map((m) => ` ${show(m.host)}=>${m.inside}`).join('');
  switch (n.kind) {
    case 'argv':
      return `run${marks}${mounts}: ${n.argv.map(show).join(' ')}`;
    case 'script':
      return `sh${marks}${mounts}: ${show(n.text)}`;
    case 'file':
      return `sh${marks} file: ${show(n.path)}`;
    default:
      return `sh${marks} stdin`;
  }
}

function show(value: Value): string {
  return render(value);
}

/** Splits a line as a shell does, with the notation of `runLine`. */
export function wordsOf(line: string): readonly Value[] {
  const words: Value[] = [];
  let word: Value | null = null;
  const add = (part: Value): void => {
    word = concat(word ?? [], part);
  };
  const pattern = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\$(\w+)|\\(.)|([*?])|([^\s'"$\\*?]+)|\$/gs;
  for (const m of line.matchAll(pattern)) {
    if (/^\s/.test(m[0])) {
      if (word) words.push(word);
      word = null;
    } else if (m[1] !== undefined) add(known(m[1]));
    else if (m[2] !== undefined) for (const part of quoted(m[2])) add([part]);
    else if (m[3] !== undefined) add([hole(m[3])]);
    else if (m[5] !== undefined) add([{ glob: m[5] }]);
    else add(known(m[4] ?? m[6] ?? '$'));
  }
  if (word) words.push(word);
  return words;
}

function quoted(text: string): Value {
  const parts: Value[] = [...text.matchAll(/\$(\w+)|\\(["\\$`])|[^$\\]+|[$\\]/g)].map((m) =>
    m[1] ? [hole(m[1])] : known(m[2] ?? m[0]),
  );
  return parts.length > 0 ? concat(...parts) : [];
}

function hole(name: string): Value[number] {
  const secret = /SECRET|TOKEN|PASS|_KEY/.test(name);
  return { hole: name, like: name === 'n' ? 'name' : 'any', ...(secret ? { taint: 'secret' as const } : {}) };
}

function invocationOf(name: string, argv: readonly Value[], around: Around): Invocation {
  const stdin: Stream =
    typeof around.stdin === 'string' ? { value: known(around.stdin), taints: [] } : (around.stdin ?? EMPTY_STREAM);
  const env = new Map(Object.entries(around.env ?? {}).map(([key, text]) => [key, known(text)]));
  const cwd = around.cwd ?? WORKSPACE;
  return { name, argv, env, cwd: [cwd], stdin, stdinIsOpen: around.stdin === undefined, world: worldOf(around) };
}

/** A small machine: `/home/dev/project` in git on branch `main`, scratch in `/tmp`. */
function worldOf(around: Around): Overlay {
  const { files = {}, env = {} } = around;
  return overlay(fixtureWorld({ home: HOME, workspace: WORKSPACE, files, env, git: { branch: 'main' } }));
}
