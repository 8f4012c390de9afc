import type { DiffLine } from '../diff.ts';
import { piecesOf } from '../marks.ts';
import type { Pair, RuleLine, Story } from '../story.ts';
import { timeOf } from '../text.ts';
import { ask } from './ask.ts';
import { byId, el, text } from './dom.ts';
import { effectList } from './effects.ts';
import { GLYPHS } from './list.ts';
import { commandTree } from './tree.ts';

/** Tells one record in the pane on the right. `link`: its address. */
export function showRecord(story: Story | null, link: string): void {
  const pane = byId('record');
  pane.replaceChildren();
  pane.scrollTop = 0;
  if (story === null) return;
  pane.append(
    headline(story, link),
    callSection(story),
    ...section('Rules', story.kind !== 'decision' && story.rules.length === 0 ? [] : ruleParts(story)),
    ...section(
      'Commands and what they would do',
      story.commands.length === 0 ? [] : [commandTree(story.commands, pane)],
    ),
    ...section(
      story.commands.length > 0 ? 'Besides' : 'What it would do',
      story.effects.length === 0 ? [] : [effectList(story.effects)],
    ),
    ...section('Not understood', pairList(story.unknowns)),
    ...section('Outcome', outcomeParts(story)),
    ...section('Facts', pairList(story.facts)),
    ...section('Trace', [...pairList(story.trace), ...quiet(story)]),
    ...section('Record', [...pairList(story.proof), raw(story)]),
  );
}

function headline(story: Story, link: string): HTMLElement {
  const word = story.answer || story.kind;
  const watched = !story.enforced && story.answer === 'allow' && story.rule !== '';
  const copy = el('button', { type: 'button', class: 'quiet' }, 'Copy link');
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(link).then(
      () => copy.replaceChildren('Copied'),
      () => copy.replaceChildren('Copying is not allowed'),
    );
  });
  return el(
    'header',
    { class: 'record-head' },
    el(
      'h2',
      {},
      el('span', { class: `badge is-${word}` }, `${GLYPHS[word] ?? '·'} ${word}`),
      ' ',
      story.rule || (story.kind === 'decision' ? 'no rule objects' : story.tool),
    ),
    watched ? el('p', { class: 'watched' }, `Only watched: it would be ${story.effect} if it were enforced.`) : null,
    story.reason === '' ? null : el('p', { class: 'reason' }, story.reason),
    story.missing === '' ? null : el('p', { class: 'missing' }, story.missing),
    el('p', { class: 'when' }, `${story.tool} · ${timeOf(story.at)} UTC · record ${story.seq} `, copy),
  );
}

function section(title: string, parts: readonly Node[]): HTMLElement[] {
  return parts.length === 0 ? [] : [el('section', {}, el('h3', {}, title), ...parts)];
}

function callSection(story: Story): HTMLElement {
  const parts: Node[] = [];
  if (story.cwd !== '') parts.push(el('p', { class: 'cwd' }, 'in ', el('code', {}, story.cwd)));
  if (story.source !== '') parts.push(source(story));
  if (story.diff.length > 0) parts.push(diff(story.diff));
  parts.push(...pairList(story.input));
  return el('section', {}, el('h3', {}, 'Call'), ...parts);
}

/** The source with each command underlined and numbered where it begins. */
function source(story: Story): HTMLElement {
  const code = el('code', {});
  const begun = new Set<number>();
  const several = story.marks.length > 1;
  for (const [i, pieces] of piecesOf(story.source, story.marks).entries()) {
    if (i > 0) code.append('\n');
    for (const piece of pieces) {
      if (piece.marks.length === 0) {
        code.append(text(piece.text));
        continue;
      }
      const own = piece.marks[piece.marks.length - 1];
      const mark = el('span', {
        class: `mark${piece.marks.some((m) => m.decided) ? ' decided' : ''}`,
        'data-commands': ` ${piece.marks.map((m) => m.n).join(' ')} `,
      });
      const starts = several ? piece.marks.map((m) => m.n).filter((n) => !begun.has(n)) : [];
      for (const n of starts) begun.add(n);
      if (starts.length > 0) mark.append(el('sup', { 'aria-label': `command ${starts.join(', ')}` }, starts.join(',')));
      mark.append(text(piece.text));
      if (own?.decided) mark.title = 'The deciding rule fired on this command';
      code.append(mark);
    }
  }
  return el('pre', { class: 'source', tabindex: 0, 'aria-label': 'What was called' }, code);
}

function diff(lines: readonly (DiffLine | null)[]): HTMLElement {
  const box = el('pre', { class: 'diff', tabindex: 0, 'aria-label': 'The change' });
  for (const line of lines.slice(0, 2000)) {
    const kind = line === null ? 'gap' : line.sign === '+' ? 'added' : line.sign === '-' ? 'removed' : 'same';
    box.append(el('span', { class: kind }, line === null ? '…' : `${line.sign} ${line.text}`));
  }
  if (lines.length > 2000) box.append(`… ${lines.length - 2000} more lines`);
  return box;
}

const PARTS: Readonly<Record<RuleLine['part'], string>> = {
  decided: 'decided',
  lost: 'fired too; another rule decided',
  lifted: 'lifted',
  shadow: 'shadow: would have, is not in force',
  advice: 'advice',
};

function ruleParts(story: Story): Node[] {
  if (story.rules.length === 0) return [el('p', { class: 'none' }, 'None fired.')];
  return [el('ol', { class: 'rules' }, ...story.rules.map((rule) => ruleItem(rule, story.reason)))];
}

function ruleItem(rule: RuleLine, reason: string): HTMLElement {
  return el(
    'li',
    { class: `rule part-${rule.part}` },
    el(
      'p',
      {},
      el('span', { class: `badge small is-${rule.effect}` }, rule.effect),
      ' ',
      el('b', {}, rule.id),
      ' ',
      el('span', { class: 'part' }, PARTS[rule.part]),
    ),
    el('p', { class: 'about' }, rule.about),
    rule.message === '' || rule.message === reason ? null : el('p', {}, rule.message),
    rule.subject === '' ? null : el('p', { class: 'about' }, 'on ', el('code', {}, rule.subject)),
    rule.instead === '' ? null : el('p', {}, el('b', {}, 'Instead: '), rule.instead),
  );
}

function pairList(pairs: readonly Pair[]): Node[] {
  if (pairs.length === 0) return [];
  return [el('dl', { class: 'pairs' }, ...pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))];
}

function quiet(story: Story): Node[] {
  return story.quiet === null || story.quiet === 0
    ? []
    : [el('p', { class: 'about' }, `${story.quiet} more rules were looked at and did not fire.`)];
}

function outcomeParts(story: Story): Node[] {
  if (story.outcome === null) return [];
  const { word, notes, text: said } = story.outcome;
  const look =
    word === 'blocked' || word === 'failed' || word === 'interrupted' || (word.startsWith('exit') && word !== 'exit 0')
      ? 'deny'
      : word === 'open'
        ? 'ask'
        : 'allow';
  return [
    el('p', {}, el('span', { class: `badge small is-${look}` }, word), ` ${notes}`),
    ...(said.trim() === ''
      ? []
      : [el('pre', { class: 'output', tabindex: 0, 'aria-label': 'What the tool said' }, said.trimEnd())]),
  ];
}

function raw(story: Story): HTMLElement {
  const box = el('details', { class: 'raw' }, el('summary', {}, 'As it is stored'));
  box.addEventListener(
    'toggle',
    () => {
      ask('raw', { seq: story.seq }).then(
        (value) =>
          box.append(el('pre', { tabindex: 0, 'aria-label': 'The record as JSON' }, JSON.stringify(value, null, 2))),
        (error: unknown) => box.append(el('p', {}, String((error as Error).message))),
      );
    },
    { once: true },
  );
  return box;
}
