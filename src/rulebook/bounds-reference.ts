import { LIMITS } from '../base/limits.ts';
import { MAX_STRING } from '../policy/operators.ts';
import { PROJECT_BOUNDS } from '../policy/project-files.ts';
import { EXPRESSION_BOUNDS } from './cel-env.ts';
import { MAX_LOOPS, MAX_MACRO_DEPTH } from './lower.ts';
import { MAX_CHARS, MAX_DOCUMENTS, MAX_KEYS } from './source.ts';

/** The section on bounds of the key reference, as lines of Markdown. */
export function boundsReference(): readonly string[] {
  const { maxAstNodes, maxDepth, maxListElements, maxMapEntries, maxCallArguments } = EXPRESSION_BOUNDS;
  const rows: readonly (readonly [string, string, string])[] = [
    ['a file', `${size(MAX_CHARS)} characters, ${count(MAX_DOCUMENTS)} documents`, 'the file is refused'],
    ['a map', `${count(MAX_KEYS)} keys`, 'the file is refused'],
    [
      "a project's `.gov`",
      `${PROJECT_BOUNDS.files} policy files, ${size(PROJECT_BOUNDS.bytes)} bytes together`,
      'every write in the project is asked about',
    ],
    ["directories below a project's `.gov`", `${PROJECT_BOUNDS.depth} deep`, 'what lies deeper is not read'],
    [
      'an expression',
      `${count(maxAstNodes)} parts, ${maxDepth} inside each other, lists of ${count(maxListElements)}, maps of ${maxMapEntries}, ${maxCallArguments} arguments`,
      'the file is refused',
    ],
    ['loops inside each other, macros included', `${MAX_LOOPS}`, 'the file is refused'],
    ['macros that call macros', `${MAX_MACRO_DEPTH} deep`, 'the file is refused'],
    ['alternatives of one glob', `${LIMITS.globAlternatives}`, 'braces beyond that stand for themselves'],
    ['work for one condition', `${count(LIMITS.celSteps)} steps`, 'an error of the condition: `on_error` decides'],
    ['work for all conditions of a call', `${count(LIMITS.decisionSteps)} steps`, 'the same'],
    ['a text that a condition makes', `${size(MAX_STRING)} characters`, 'the same'],
  ];
  return [
    '## Bounds',
    '',
    'Nobody should meet them; they keep a file or a condition from making gov slow.',
    '',
    '| of | at most | beyond it |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

function count(n: number): string {
  return n.toLocaleString('en');
}

function size(n: number): string {
  return `${n / 1024 / 1024} Mi`;
}
