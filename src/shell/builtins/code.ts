import { LIMITS } from '../../base/limits.ts';
import { concat, known, knownPrefix, render, textOf, type Value } from '../../model/value.ts';
import { evaluateText } from '../arithmetic.ts';
import { lineOf } from '../commands.ts';
import { applyEffect, applyFiles } from '../effects.ts';
import { runFile, runText } from '../nested.ts';
import { parseShell } from '../parse.ts';
import { noteUnknown } from '../record.ts';
import { type Frame, fork, hole, lines, type State } from '../state.ts';
import { type BuiltinCall, type BuiltinTable, delegate, describe, finish, print, readOptions } from './builtin.ts';

/** Runs code in this very shell: what it changes stays. */
function here(b: BuiltinCall, via: string, change: Partial<Frame>, body: (s: State) => void): void {
  const { s, run } = b;
  const frame = s.frame;
  if (frame.via.length >= LIMITS.nesting) {
    noteUnknown(run.record, 'code inside code deeper than is analysed', b.call.text, b.call.span);
    return applyEffect(run, b.command, { kind: 'exec-unknown', detail: 'code inside code deeper than is analysed' });
  }
  s.frame = {
    ...frame,
    via: [...frame.via, via],
    parent: b.command.id,
    certain: b.command.certain,
    depth: frame.depth + 1,
    ...change,
  };
  body(s);
  s.frame = frame;
}

/** Patterns as their text: code is not matched against file names before it is read. */
function asText(value: Value): Value {
  return concat(value.map((p) => (typeof p !== 'string' && 'glob' in p ? p.glob : p)));
}

function evalCommand(b: BuiltinCall): void {
  const [first] = b.argv.slice(1);
  const words = first && textOf(first) === '--' ? b.argv.slice(2) : b.argv.slice(1);
  describe(b, [], words);
  if (words.length === 0) return;
  here(b, 'eval', {}, (s) => runText(b.run, s, b.command, lines(words.map(asText), ' ')));
}

function source(b: BuiltinCall): void {
  const { rest } = readOptions(b.argv, 'p');
  describe(b, [], rest);
  const [file, ...args] = rest;
  if (!file) return;
  const { s, run } = b;
  applyFiles(run, b.command, s.frame, b.command.cwd, [{ op: 'read', path: file }], [], b.command.certain);
  const before = s.args;
  s.args = { ...s.args, ...(args.length > 0 ? { values: args, open: false, alts: undefined } : {}), file };
  here(b, 'source', { returns: true }, (path) => runFile(run, path, b.command, file, 'source'));
  s.args = before;
  if (s.ended === 'return') s.ended = '';
}

function exec(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv, 'a');
  describe(b, flags, rest);
  if (rest.length === 0) return;
  delegate(b, rest, 'exec', 'program');
  b.s.ended = 'exit';
  b.s.dirty = true;
}

function trap(b: BuiltinCall): void {
  const { s } = b;
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  if (flags.size > 0) return;
  const [body, ...signals] = rest;
  if (!body) return;
  const text = textOf(body);
  const names = signals.length > 0 ? signals.map(render) : [render(body)];
  const reset = text === '-' || signals.length === 0;
  // A signal that does not exist makes it fail.
  if (
    !names.every((name) => /^(?:SIG)?(?:EXIT|DEBUG|ERR|RETURN|HUP|INT|QUIT|TERM|PIPE|USR1|USR2|CHLD|\d+)$/i.test(name))
  )
    s.status = 'maybe';
  for (const name of names)
    s.traps.set(name.toUpperCase().replace(/^SIG/, ''), reset || text === '' ? [] : [asText(body)]);
  s.dirty = true;
}

function command(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  if (flags.has('v') || flags.has('V')) {
    b.s.status = 'maybe';
    const name = rest[0] ? knownPrefix(rest[0]) : '';
    const plain = /^[\w.+-]+$/.test(name) && rest.length === 1;
    return print(b, { value: plain ? [`/usr/bin/${name}\n`] : [hole('paths of programs')], taints: [] });
  }
  if (rest.length > 0) delegate(b, rest, 'command', 'no-function');
}

function builtin(b: BuiltinCall): void {
  const rest = textOf(b.argv[1] ?? []) === '--' ? b.argv.slice(2) : b.argv.slice(1);
  describe(b, [], rest);
  if (rest.length > 0) delegate(b, rest, 'builtin', 'builtin');
}

/** `which`, `type -P`, zsh's `whence`: where programs are. */
function which(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  b.s.status = 'maybe';
  const name = rest[0] ? (textOf(rest[0]) ?? '') : '';
  const kind = textOf(b.argv[0] as Value);
  const path = kind === 'which' || flags.has('p') || flags.has('P');
  const known_ = path && rest.length === 1 && /^[\w.+-]+$/.test(name);
  print(b, { value: known_ ? [`/usr/bin/${name}\n`] : [hole('where programs are')], taints: [] });
}

/** zsh's words before a command that change how it is expanded, not what it is. */
function modifier(b: BuiltinCall): void {
  const rest = b.argv.slice(1);
  describe(b, [], rest);
  if (rest.length > 0) delegate(b, rest, render(b.argv[0] as Value), 'all');
}

function exit(b: BuiltinCall): void {
  const { s } = b;
  describe(b, [], b.argv.slice(1));
  if (b.argv.length > 2) return finish(b, 'fail');
  const code = b.argv[1] ? evaluateText(b.run, s, b.argv[1]) : s.status === 'ok' ? 0 : null;
  s.status = code === null ? 'maybe' : code === 0 ? 'ok' : 'fail';
  const name = textOf(b.argv[0] as Value);
  if (name === 'return' && !s.frame.returns) return;
  s.ended = name === 'return' ? 'return' : 'exit';
  s.dirty = true;
}

function leaveLoop(b: BuiltinCall): void {
  if (b.s.frame.loops === 0) return;
  b.s.ended = textOf(b.argv[0] as Value) === 'break' ? 'break' : 'continue';
  b.s.dirty = true;
}

function alias(b: BuiltinCall): void {
  const { s } = b;
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  for (const word of rest) {
    const text = asText(word)
      .map((p) => (typeof p === 'string' ? p : ''))
      .join('');
    const equals = text.indexOf('=');
    if (equals <= 0) continue;
    s.aliases.set(text.slice(0, equals), {
      body: text.slice(equals + 1),
      line: lineOf(s, b.call.span ? b.call.span.start - (s.frame.source.base ?? 0) : 0),
    });
    s.dirty = true;
  }
}

function unalias(b: BuiltinCall): void {
  for (const word of b.argv.slice(1)) {
    const name = textOf(word);
    if (name !== null) b.s.aliases.set(name, null);
  }
  b.s.dirty = true;
}

/** `hash -p path name`: the name runs that path from now on. */
function hash(b: BuiltinCall): void {
  const { values, rest, flags } = readOptions(b.argv, 'p');
  describe(b, flags, rest);
  const path = values.get('p');
  const name = rest[0] ? textOf(rest[0]) : null;
  if (!path || name === null) return;
  const { script, source } = parseShell(b.run, `${textOf(path) ?? 'unknown'} "$@"`);
  b.s.functions.set(name, [{ body: { type: 'CompoundList', pos: 0, end: 0, commands: script.commands }, source }]);
  b.s.dirty = true;
}

function enable(b: BuiltinCall): void {
  const { values, flags, rest } = readOptions(b.argv, 'f');
  describe(b, flags, rest);
  const file = values.get('f');
  if (file)
    applyEffect(
      b.run,
      b.command,
      { kind: 'exec-unknown', target: render(file), detail: 'loads a builtin from a file' },
      b.command.certain,
    );
}

/** Runs a text that an option of the builtin makes the shell run later. */
export function runLater(b: BuiltinCall, text: Value, via: string): void {
  here(b, via, {}, (s) => runText(b.run, fork(s), b.command, text));
}

function bind(b: BuiltinCall): void {
  const { values, flags, rest } = readOptions(b.argv, 'xfmuqr');
  describe(b, flags, rest);
  const key = values.get('x');
  const text = key ? textOf(key) : null;
  if (text !== null) runLater(b, known(text.replace(/^[^:]*:\s*/s, '').replace(/^"(.*)"$/s, '$1')), 'bind');
  else if (key) runLater(b, key, 'bind');
}

function completion(b: BuiltinCall): void {
  const { values, flags, rest } = readOptions(b.argv, 'ACFGoPSWX');
  describe(b, flags, rest);
  const code = values.get('C');
  if (code) runLater(b, code, textOf(b.argv[0] as Value) ?? 'complete');
  const words = values.get('W');
  if (words) runLater(b, concat(known(': '), words), 'complete');
}

/** `emulate zsh -c code`. */
function emulate(b: BuiltinCall): void {
  const { values, rest } = readOptions(b.argv, 'co');
  const at = rest.findIndex((w) => textOf(w) === '-c');
  const code = values.get('c') ?? (at >= 0 ? rest[at + 1] : undefined);
  describe(b, [], rest);
  if (code) here(b, 'emulate', {}, (s) => runText(b.run, s, b.command, code));
}

/** `fc -s` and `history -s` run or make up earlier commands, which are not known here. */
function fc(b: BuiltinCall): void {
  describe(b, [], b.argv.slice(1));
  applyEffect(b.run, b.command, { kind: 'exec-unknown', detail: 'runs commands of the history' }, b.command.certain);
}

/** `history -w FILE` and `-a FILE` write the list out, `-r` and `-n` read it. */
function history(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  const [file] = rest;
  const writes = flags.has('w') || flags.has('a');
  if (!file || !(writes || flags.has('r') || flags.has('n'))) return;
  const draft = writes ? { op: 'write' as const, path: file } : { op: 'read' as const, path: file };
  applyFiles(b.run, b.command, b.s.frame, b.command.cwd, [draft], [], b.command.certain);
}

export const CODE_BUILTINS: BuiltinTable = [
  ['eval', evalCommand],
  ['source', source],
  ['.', source],
  ['exec', exec],
  ['trap', trap],
  ['command', command],
  ['builtin', builtin],
  ['which', which],
  ['type', which],
  ['whence', which],
  ['noglob', modifier],
  ['nocorrect', modifier],
  ['-', modifier],
  ['exit', exit],
  ['logout', exit],
  ['return', exit],
  ['break', leaveLoop],
  ['continue', leaveLoop],
  ['alias', alias],
  ['unalias', unalias],
  ['hash', hash],
  ['enable', enable],
  ['bind', bind],
  ['complete', completion],
  ['compgen', completion],
  ['emulate', emulate],
  ['fc', fc],
  ['history', history],
];
