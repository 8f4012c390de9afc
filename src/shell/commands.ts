import type { Assignment, Command, Redirection, SyntaxNode, Word, WordPart } from 'unbash';
import { known, textOf, type Value } from '../model/value.ts';
import { afterNoComment, joinAdjacent } from './adjacent.ts';
import { assign, assignmentText } from './assignments.ts';
import { forEachChoice } from './choices.ts';
import { join } from './joining.ts';
import { parseShell } from './parse.ts';
import { settlePlaces } from './places.ts';
import { runReaders } from './process-substitution.ts';
import { noteUnknown } from './record.ts';
import { closeFiles, descriptor, redirect } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { pour } from './sinks.ts';
import { showMarks, spanOf, textAt } from './source.ts';
import { findAlias, fork, type State, setVariable } from './state.ts';
import { expandWord } from './words.ts';

/** Runs one simple command: words, redirections, assignments, then what its name stands for. */
export function runCommand(run: Run, s: State, written: Command): void {
  run.visited.add(written);
  settlePlaces(s);
  const node = joinAdjacent(run, s, written);
  afterNoComment(run, s, written);
  forEachChoice(run, s, (path) => once(run, path, node), hasVariants(node));
}

/**
 * Words that may be one of several, each of which is looked at: a name with a default (`${CC:-gcc}`) or printed by a
 * command, an argument that depends on whether a variable is set (`${FORCE:+-f}`), a variable that gets such a value.
 */
function hasVariants(node: Command): boolean {
  const asName = (p: WordPart): boolean =>
    p.type === 'CommandExpansion' || (p.type === 'ParameterExpansion' && p.operation?.type === 'Default');
  const asArgument = (p: WordPart): boolean =>
    p.type === 'ParameterExpansion' && p.operation?.type === 'Default' && /[-+=]$/.test(p.operation.operator);
  const set = (a: SyntaxNode): boolean =>
    a.type === 'Assignment' &&
    (a.value.type === 'Word' ? has(a.value, asArgument) : a.value.elements.some((e) => has(e, asArgument)));
  return (
    has(node.name, asName) ||
    node.args.some((a) => (a.type === 'Word' ? has(a, asArgument) : set(a))) ||
    node.prefix.some(set)
  );
}

function has(word: Word | undefined, test: (part: WordPart) => boolean): boolean {
  return word?.parts?.some((p) => (p.type === 'DoubleQuoted' ? p.parts.some(test) : test(p))) ?? false;
}

function once(run: Run, s: State, node: Command): void {
  const readers = run.readers.length;
  const assignments = node.prefix.filter((p): p is Assignment => p.type === 'Assignment');
  const alias = aliasOf(s, node);
  const first = node.name ? (alias?.certain ? [] : expandWord(run, s, node.name)) : [];
  const rest: Value[] = [];
  const declared = new Map<number, Assignment>();
  for (const arg of node.args) {
    if (arg.type === 'Word') {
      for (const word of expandWord(run, s, arg)) rest.push(word);
    } else if (arg.value.type === 'ArrayValue' || arg.index) {
      declared.set(first.length + rest.length, arg);
      rest.push(known(arg.text));
    } else rest.push(assignmentText(run, s, arg));
  }
  const argv = [...first, ...rest];
  const fds = s.fds;
  const redirected = redirect(run, s, zshClobber(run, s, node));
  const call: Omit<Call, 'argv' | 'env'> = {
    redirects: redirected.shown,
    text: showMarks(textAt(s.frame.source, node), run.marks),
    span: spanOf(s.frame.source, node),
    lookup: 'all',
    opened: redirected.opened,
    declared,
  };
  if (alias) runAlias(run, s, alias, rest, assignments, call);
  if (argv.length === 0 || alias?.certain) {
    if (!alias) {
      s.status = 'ok';
      run.steps++;
      for (const a of assignments) assign(run, s, a);
      if (isFileRead(node)) pour(descriptor(s, 1).sink, descriptor(s, 0).stream);
      closeFiles(run, s, redirected.opened, null);
    }
    s.fds = fds;
  } else {
    const keeps = withAssignments(run, s, assignments, argv, call);
    if (!keeps) s.fds = fds;
    s.lastWord = argv[argv.length - 1] ?? null;
  }
  if (run.readers.length > readers) runReaders(run, readers);
}

/** `$(< file)` is the text of the file. */
function isFileRead(node: Command): boolean {
  const [only, ...more] = node.redirects;
  return (
    more.length === 0 &&
    only?.type === 'Redirect' &&
    only.operator === '<' &&
    node.prefix.length + node.suffix.length === 1
  );
}

/** Runs the command with its assignments in force; true if its redirections stay (`exec`). */
function withAssignments(
  run: Run,
  s: State,
  assignments: readonly Assignment[],
  argv: readonly Value[],
  call: Omit<Call, 'argv' | 'env'>,
): boolean {
  const keeps = argv.length === 1 && textOf(argv[0] as Value) === 'exec';
  if (assignments.length === 0) {
    run.up.invoke(run, s, { ...call, argv, env: NO_ENV });
    return keeps;
  }
  const path = fork(s);
  const env = new Map<string, Value>();
  for (const a of assignments) {
    assign(run, path, a);
    const variable = path.vars.get(a.name);
    if (!variable) continue;
    setVariable(path, a.name, { ...variable, exported: true });
    const [held] = variable.alts;
    env.set(a.name, held?.kind === 'text' ? held.value : []);
  }
  run.up.invoke(run, path, { ...call, argv, env });
  for (const a of assignments) path.vars.delete(a.name);
  const { exports, ownsExports } = s;
  join(s, [path]);
  s.exports = exports;
  s.ownsExports = ownsExports;
  return keeps;
}

const NO_ENV: ReadonlyMap<string, Value> = new Map();

/**
 * zsh reads `>! file` as `> file` whatever noclobber says; bash writes a file named `!`. Both are looked at: the next
 * word is taken as a target too.
 */
function zshClobber(run: Run, s: State, node: Command): readonly Redirection[] {
  const odd = node.redirects.filter((r) => r.type === 'Redirect' && (r.target?.text === '!' || r.target?.text === '|'));
  if (odd.length === 0) return node.redirects;
  const source = s.frame.source;
  const extra: Redirection[] = [];
  for (const r of odd) {
    noteUnknown(
      run.record,
      'a redirection that zsh and bash read differently',
      textAt(source, node),
      spanOf(source, node),
    );
    const next = node.args.find((a): a is Word => a.type === 'Word' && a.pos >= r.end);
    if (r.type === 'Redirect' && next) extra.push({ ...r, target: next });
  }
  return [...node.redirects, ...extra];
}

interface Alias {
  readonly name: string;
  readonly body: string;
  /** What stands behind the name, as written. */
  readonly behind: string;
  readonly certain: boolean;
}

/** An alias for the command's name. Scripts expand aliases only if told to, and not on the line that defines them. */
function aliasOf(s: State, node: Command): Alias | null {
  const name = node.name;
  if (!name || name.parts || name.text !== name.value) return null;
  const found = findAlias(s, name.value);
  if (!found || s.frame.calls.includes(`alias ${name.value}`)) return null;
  const line = lineOf(s, node.pos);
  // The body of a function was read as a whole, when the alias may not have been there.
  const isRead = s.frame.calls.every((one) => one.startsWith('alias '));
  return {
    name: name.value,
    body: found.body,
    behind: s.frame.source.text.slice(name.end, node.end),
    certain: s.options.has('expand_aliases') && line !== found.line && isRead,
  };
}

export function lineOf(s: State, pos: number): number {
  const { text, base } = s.frame.source;
  let from = text.lastIndexOf('\n', Math.max(0, pos - 1));
  if (from < 0) from = 0;
  return (base ?? -1e9) + from;
}

/** Runs an alias's text with the command's arguments after it. */
function runAlias(
  run: Run,
  s: State,
  alias: Alias,
  rest: readonly Value[],
  assignments: readonly Assignment[],
  call: Omit<Call, 'argv' | 'env'>,
): void {
  // Behind an operator, a keyword or an assignment the arguments are a command of their own: all of it is one text.
  const isOpen = /(?:[;&|({!]|^|\s(?:then|do|else|elif|if|while|until|time)|=\S*)\s*$/.test(alias.body);
  const whole = isOpen ? `${alias.body} ${alias.behind}` : alias.body;
  const { script, source } = parseShell(run, whole);
  const frame = s.frame;
  const path = alias.certain ? s : fork(s);
  path.frame = {
    ...frame,
    source,
    via: [...frame.via, 'alias'],
    certain: frame.certain && alias.certain,
    calls: [...frame.calls, `alias ${alias.name}`],
  };
  if (isOpen) {
    run.up.script(run, path, script, source);
    path.frame = frame;
    return;
  }
  const last = script.commands[script.commands.length - 1];
  const before = script.commands.slice(0, -1);
  if (before.length > 0) run.up.script(run, path, { ...script, commands: before }, source);
  const node = last?.command.type === 'Command' ? joinAdjacent(run, path, last.command) : null;
  if (node?.name) {
    for (const a of [...assignments, ...node.prefix]) if (a.type === 'Assignment') assign(run, path, a);
    const own = [node.name, ...node.args.filter((a): a is Word => a.type === 'Word')].flatMap((w) =>
      expandWord(run, path, w),
    );
    const redirected = redirect(run, path, node.redirects);
    run.up.invoke(run, path, {
      ...call,
      argv: [...own, ...rest],
      env: NO_ENV,
      opened: [...(call.opened ?? []), ...redirected.opened],
    });
  } else if (last) run.up.script(run, path, { ...script, commands: [last] }, source);
  path.frame = frame;
}
