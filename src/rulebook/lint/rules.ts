import type { ASTNode } from '@marcbachmann/cel-js';
import { EFFECTS } from '../../model/decision.ts';
import type { CelNode, CompiledRule } from '../../model/policy.ts';
import { walk } from '../cel-check.ts';
import type { Compilation } from '../compile.ts';
import { suggestion } from '../finding.ts';
import { typeName } from '../lower.ts';
import { testSides } from '../rule-data.ts';
import type { WrittenRule } from '../rules.ts';
import { secretFieldsIn } from '../secret-fields.ts';
import type { Report } from './lint.ts';
import { valuesOf } from './vocabulary.ts';

/** Lints that look at one rule, or at one rule and those before it. */
export function lintRules(compilation: Compilation, now: number, report: Report): void {
  const seen = new Map<string, WrittenRule>();
  for (const written of compilation.written) {
    lintTests(written, report);
    lintDead(written, report);
    lintValues(written, report);
    lintShadowed(written, seen, report);
    lintSecrets(written, report);
    lintOwner(written, now, report);
    lintPassing(written, report);
    if (loopDepth(written.rule.when.root) > 2)
      keyOf(written, report, 'cel-cost', 'when', `\`${written.rule.id}\` has three loops inside each other`);
  }
}

function keyOf(
  written: WrittenRule,
  report: Report,
  code: Parameters<Report['atKey']>[0],
  key: string,
  message: string,
  help = '',
): void {
  report.atKey(code, written.doc, ['rules', written.index, key], message, help);
}

function lintTests(written: WrittenRule, report: Report): void {
  const { rule, data } = written;
  const { fires, silent } = testSides(data.tests ?? {});
  if (!fires && !silent) keyOf(written, report, 'no-test', 'id', `\`${rule.id}\` has no tests`);
  else if (!fires) keyOf(written, report, 'untested-side', 'tests', `\`${rule.id}\` has no case in which it fires`);
  else if (!silent)
    keyOf(written, report, 'untested-side', 'tests', `\`${rule.id}\` has no case in which it is silent`);
}

/** Tools that run commands. */
const RUNS_COMMANDS = ['shell', 'mcp', 'other'];

function lintDead(written: WrittenRule, report: Report): void {
  const { rule } = written;
  const { root } = rule.when;
  const dead = (key: string, why: string): void =>
    keyOf(written, report, 'dead-rule', key, `\`${rule.id}\` never fires: ${why}`);
  if (root[0] === 'v' && root[1] === false) dead('when', 'its condition is false');
  const needsCommand = rule.each === 'command' || rule.programs.length > 0;
  if (needsCommand && rule.tools.length > 0 && !rule.tools.some((t) => RUNS_COMMANDS.includes(t)))
    dead('tools', `${rule.tools.join(', ')} ${rule.tools.length === 1 ? 'runs' : 'run'} no commands`);
  const after = rule.on.some((e) => e.startsWith('PostToolUse'));
  if (!after && written.exprs.some((e) => e.key === 'when' && usesGlobal(e.ast, 'result')))
    dead('when', '`result` is empty before the call');
}

function usesGlobal(ast: ASTNode, name: string): boolean {
  let used = false;
  walk(ast, (node) => {
    if (node.op === 'id' && node.args === name) used = true;
  });
  return used;
}

/** Comparisons with words that the field never has. */
function lintValues(written: WrittenRule, report: Report): void {
  for (const { ast, source } of written.exprs)
    walk(ast, (node) => {
      for (const [word, values, field] of comparedWords(node)) {
        const text = word.args as string;
        if (!values.includes(text))
          report.inText(
            'unknown-value',
            source,
            word.start,
            word.end,
            `\`${field}\` is never \`${text}\``,
            suggestion(text, values),
          );
      }
    });
}

/** Constants that a field with a fixed vocabulary is compared with. */
function comparedWords(node: ASTNode): readonly (readonly [ASTNode, readonly string[], string])[] {
  if (node.op === '==' || node.op === '!=') {
    const [a, b] = node.args;
    return [...pairs(a, [b]), ...pairs(b, [a])];
  }
  if (node.op === 'in' && node.args[1].op === 'list') return pairs(node.args[0], node.args[1].args);
  return [];
}

function pairs(field: ASTNode, words: readonly ASTNode[]): (readonly [ASTNode, readonly string[], string])[] {
  if (field.op !== '.') return [];
  const [object, name] = field.args;
  const values = valuesOf(typeName(object), name);
  if (!values) return [];
  return words.filter((w) => w.op === 'value' && typeof w.args === 'string').map((w) => [w, values, name] as const);
}

function lintShadowed(written: WrittenRule, seen: Map<string, WrittenRule>, report: Report): void {
  const { rule } = written;
  if (rule.mode !== 'enforce' || rule.limit || rule.sequence || rule.requires || rule.effect === 'allow') return;
  const key = JSON.stringify([rule.each, rule.on, rule.tools, rule.programs, rule.agents, rule.when.root]);
  const other = seen.get(key);
  if (!other) seen.set(key, written);
  else if (isStricter(other.rule, rule) || isStricter(rule, other.rule))
    keyOf(written, report, 'shadowed-rule', 'when', `\`${rule.id}\` and \`${other.rule.id}\` have the same condition`);
}

function isStricter(a: CompiledRule, b: CompiledRule): boolean {
  return EFFECTS.indexOf(a.effect) <= EFFECTS.indexOf(b.effect);
}

/** What agents are told may hold none at all: that is checked when rules are compiled. */
function lintSecrets(written: WrittenRule, report: Report): void {
  for (const { key, ast, source } of written.exprs)
    if (key.startsWith('audit.'))
      for (const { field, start, end } of secretFieldsIn(ast))
        report.inText('message-leaks-secret', source, start, end, `\`${field}\` may hold a secret`);
}

function lintOwner(written: WrittenRule, now: number, report: Report): void {
  const { rule, data, doc } = written;
  const pack = doc.data?.['metadata'] as { owners?: readonly string[] } | undefined;
  if (!data.owners?.length && !pack?.owners?.length)
    keyOf(written, report, 'missing-owner', 'id', `\`${rule.id}\` has no owner`);
  if (data.review_by !== undefined && Date.parse(data.review_by) < now)
    keyOf(written, report, 'review-overdue', 'review_by', `\`${rule.id}\` was to be reviewed by ${data.review_by}`);
}

function lintPassing(written: WrittenRule, report: Report): void {
  const { rule, data } = written;
  if ((rule.effect === 'redact' || rule.effect === 'modify') && rule.fallback.length === 0)
    keyOf(written, report, 'fallback-missing-for-agent', 'effect', `not every agent can ${rule.effect}`);
  if (rule.effect === 'allow' && rule.when.root[0] === 'v' && rule.when.root[1] === true && rule.programs.length === 0)
    keyOf(written, report, 'hidden-allow', 'when', `\`${rule.id}\` allows everything`);
  const stops = EFFECTS.indexOf(rule.effect) <= EFFECTS.indexOf('ask');
  // A limit counts what is known, call after call: one that can't be told is not counted, and nothing is let through by it.
  if (stops && !rule.limit && rule.level !== 'advisory' && data.on_dynamic === 'ignore' && data.on_error === 'skip')
    keyOf(written, report, 'hidden-allow', 'on_dynamic', `\`${rule.id}\` passes whatever it can't tell`);
}

/** How deep loops stand in each other. */
function loopDepth(node: CelNode): number {
  const inner = Math.max(
    0,
    ...node.slice(1).map((arg) => (Array.isArray(arg) && node[0] !== 'v' ? loopDepth(arg as unknown as CelNode) : 0)),
  );
  return ['all', 'exists', 'exists_one', 'filter', 'each'].includes(node[0]) ? inner + 1 : inner;
}
