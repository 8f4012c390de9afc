import type { ASTNode } from '@marcbachmann/cel-js';
import { EFFECTS } from '../../model/decision.ts';
import { EFFECT_KINDS } from '../../model/effect-kinds.ts';
import { compileGlobs } from '../../policy/glob.ts';
import { walk } from '../cel-check.ts';
import type { Compilation } from '../compile.ts';
import { suggestion } from '../finding.ts';
import { typeName } from '../lower.ts';
import type { WrittenExpr, WrittenRule } from '../rules.ts';
import type { Report } from './lint.ts';

/** Lints on globs, effect kinds and regular expressions within conditions. */
export function lintPatterns(compilation: Compilation, report: Report): void {
  const told = new Set<string>();
  for (const written of compilation.written)
    for (const expr of written.exprs) {
      lintKinds(expr, report);
      lintRegex(expr, report);
      lintWrittenPaths(expr, report);
      for (const use of globUses(expr.ast)) lintGlobs(compilation, written, expr, use, told, report);
    }
}

const PLACES = new Set(['matchesAny', 'under', 'startsWith', 'endsWith']);

/** `path` is a text for messages: it says nothing of the directory, of links, or of a word that is not known. */
function lintWrittenPaths({ ast, source, key }: WrittenExpr, report: Report): void {
  if (key !== 'when') return;
  walk(ast, (node) => {
    if (node.op !== 'rcall' || !PLACES.has(node.args[0])) return;
    const subject = node.args[1];
    if (subject.op === '.' && subject.args[1] === 'path' && typeName(subject.args[0]) === 'File')
      report.inText('path-as-written', source, subject.start, subject.end, '`path` is not where the file lies');
  });
}

interface GlobUse {
  readonly list: ASTNode;
  /** Not below a `!`. */
  readonly wanted: boolean;
}

/** Calls of `matchesAny` on files. */
function globUses(ast: ASTNode, wanted = true): readonly GlobUse[] {
  const uses: GlobUse[] = [];
  const visit = (node: ASTNode, positive: boolean): void => {
    if (node.op === 'rcall' && node.args[0] === 'matchesAny' && isPath(node.args[1])) {
      const [list] = node.args[2];
      if (list) uses.push({ list, wanted: positive });
    }
    const flips = node.op === '!_';
    const each = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(each);
      else if (typeof value === 'object' && value !== null && 'op' in value)
        visit(value as ASTNode, positive !== flips);
    };
    each(node.args);
  };
  visit(ast, wanted);
  return uses;
}

function isPath(subject: ASTNode): boolean {
  return typeName(subject) === 'File' || (subject.op === '.' && subject.args[1] === 'real');
}

const CHANGES_TREES = ['delete', 'move', 'chmod'];

function lintGlobs(
  { library }: Compilation,
  { rule }: WrittenRule,
  expr: WrittenExpr,
  { list, wanted }: GlobUse,
  told: Set<string>,
  report: Report,
): void {
  const name = list.op === '.' && list.args[0].op === 'id' && list.args[0].args === 'lists' ? list.args[1] : null;
  const entry = name === null ? undefined : library.lists.get(name);
  const patterns = entry ? entry.items : literals(list);
  const say = (code: 'unanchored-glob' | 'dir-glob-misses-dir', i: number, message: string): void => {
    const key = `${code} ${name ?? rule.id} ${i}`;
    if (told.has(key)) return;
    told.add(key);
    const path = entry ? itemPath(entry.doc.data, entry.name, i) : null;
    const node = list.op === 'list' ? (list.args[i] ?? list) : list;
    if (entry && path) report.at(code, entry.doc, path, message);
    else report.inText(code, expr.source, node.start, node.end, message);
  };
  const aboutTrees =
    rule.each === 'file' &&
    wanted &&
    EFFECTS.indexOf(rule.effect) <= EFFECTS.indexOf('ask') &&
    expr.key === 'when' &&
    (rule.ops ?? []).some((op) => CHANGES_TREES.includes(op));
  patterns.forEach((pattern, i) => {
    if (pattern !== '' && !/^(\*\*|\/|~)/.test(pattern))
      say('unanchored-glob', i, `\`${pattern}\` matches no absolute path`);
    const dir = pattern.endsWith('/**') ? pattern.slice(0, -3) : '';
    if (
      aboutTrees &&
      dir !== '' &&
      !compileGlobs(patterns, '/home/x')(dir.replace(/^~/, '/home/x').replaceAll('**', 'x'))
    )
      say('dir-glob-misses-dir', i, `\`${pattern}\` does not match \`${dir}\` itself`);
  });
}

function literals(list: ASTNode): readonly string[] {
  return list.op === 'list' ? list.args.map((a) => (a.op === 'value' && typeof a.args === 'string' ? a.args : '')) : [];
}

function itemPath(data: unknown, name: string, i: number): readonly (string | number)[] {
  const lists = (data as { lists?: Record<string, unknown> }).lists ?? {};
  return Array.isArray(lists[name]) ? ['lists', name, i] : ['lists', name, 'items', i];
}

function lintKinds({ ast, source }: WrittenExpr, report: Report): void {
  const kinds = Object.keys(EFFECT_KINDS);
  walk(ast, (node) => {
    if (node.op !== 'rcall' || node.args[0] !== 'does') return;
    for (const word of node.args[2])
      if (word.op === 'value' && typeof word.args === 'string' && !kinds.some(compileGlobs([word.args], '')))
        report.inText(
          'unknown-value',
          source,
          word.start,
          word.end,
          `no effect is of kind \`${word.args}\``,
          suggestion(word.args, kinds),
        );
  });
}

function lintRegex({ ast, source }: WrittenExpr, report: Report): void {
  walk(ast, (node) => {
    const pattern =
      node.op === 'rcall' && (node.args[0] === 're' || node.args[0] === 'matches')
        ? node.args[2][0]
        : node.op === 'call' && node.args[0] === 're'
          ? node.args[1][1]
          : undefined;
    if (pattern?.op === 'value' && typeof pattern.args === 'string' && /\([^()]*[+*][^()]*\)[+*]/.test(pattern.args))
      report.inText('regex-backtracking', source, pattern.start, pattern.end, 'a group that repeats is repeated');
  });
}
