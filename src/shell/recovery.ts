import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { unvisited } from './coverage.ts';
import { runScript } from './lists.ts';
import { runNode } from './nodes.ts';
import { parseSafely } from './parse.ts';
import { isExhausted, noteUnknown } from './record.ts';
import type { Run } from './run.ts';
import type { Source } from './source.ts';
import { fork, type State } from './state.ts';

const MAX_RESTARTS = 8;

/**
 * What the interpreter did not reach: nodes nobody ran (they are run on their own, as uncertain), and text behind a
 * parse error, from which parsing starts anew.
 */
export function recover(run: Run, s: State, script: ParsedScript, source: Source): void {
  const uncertain = (): State => {
    const path = fork(s);
    path.ended = '';
    path.frame = { ...s.frame, source, certain: false };
    return path;
  };
  if (isExhausted(run.record, run.steps)) return;
  for (const node of unvisited(run, script)) {
    run.visited.add(node);
    const path = uncertain();
    if (node.type === 'Command') runNode(run, path, node);
    else if (node.script)
      runScript(
        run,
        path,
        node.script,
        node.script.source === undefined ? source : { text: node.script.source, base: null },
      );
  }
  for (const error of errorsIn(run, script))
    noteUnknown(
      run.record,
      `the shell text can't be parsed: ${error.message}`,
      source.text.slice(error.pos, error.pos + 80),
      null,
    );
  restart(run, uncertain, script, source);
}

/** Errors on scripts nested in parts that did not run. */
function errorsIn(run: Run, root: SyntaxNode): readonly { readonly message: string; readonly pos: number }[] {
  const found: { readonly message: string; readonly pos: number }[] = [];
  const stack: SyntaxNode[] = [];
  forEachChild(root, (child) => stack.push(child));
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (run.cut.has(node)) continue;
    if (node.type === 'Script') found.push(...(node.errors ?? []));
    forEachChild(node, (child) => stack.push(child));
  }
  return found;
}

/** The tolerant parser drops what stands behind some errors: it is parsed again from there. */
function restart(run: Run, uncertain: () => State, script: ParsedScript, source: Source): void {
  let errors = script.errors ?? [];
  let base = 0;
  for (let made = 0; made < MAX_RESTARTS && errors.length > 0; made++) {
    const last = errors[errors.length - 1] as { readonly pos: number };
    const from = base + last.pos + 1;
    if (from >= source.text.length) return;
    const text = source.text.slice(from);
    const next = parseSafely(run, text);
    const rest = { text, base: source.base === null ? null : source.base + from };
    const path = uncertain();
    path.frame = { ...path.frame, source: rest };
    runScript(run, path, next, rest);
    errors = next.errors ?? [];
    base = from;
  }
}
