import {
  type ArithmeticCommandExpansion,
  type Command,
  type CommandExpansionPart,
  forEachChild,
  type ProcessSubstitutionPart,
  type SyntaxNode,
} from 'unbash';
import type { Run } from './run.ts';

/** Marks a part of the tree as one that does not run (a branch that is never taken, a function nobody calls). */
export function skip(run: Run, node: SyntaxNode): void {
  run.visited.add(node);
}

export type Runnable = Command | CommandExpansionPart | ProcessSubstitutionPart | ArithmeticCommandExpansion;

/**
 * Everything in the tree that could run and was neither run nor judged. The interpreter should leave nothing; this is
 * the net below it.
 */
export function unvisited(run: Run, root: SyntaxNode): readonly Runnable[] {
  const found: Runnable[] = [];
  const stack: SyntaxNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (run.cut.has(node)) continue;
    const seen = run.visited.has(node);
    if (
      node.type === 'Command' ||
      node.type === 'CommandExpansion' ||
      node.type === 'ProcessSubstitution' ||
      node.type === 'ArithmeticCommandExpansion'
    ) {
      if (!seen) {
        found.push(node);
        continue;
      }
    } else if (seen || node.type === 'Function') continue;
    forEachChild(node, (child) => stack.push(child));
  }
  return found;
}
