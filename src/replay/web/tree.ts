import type { CommandLine } from '../story.ts';
import { el } from './dom.ts';
import { effectList } from './effects.ts';

/**
 * The commands as a tree: what runs what. Arrow keys move and fold, as ARIA's tree pattern has it; the command under
 * the pointer or the focus is shown in the source of `pane`.
 */
export function commandTree(commands: readonly CommandLine[], pane: HTMLElement): HTMLElement {
  const children = new Map<number, CommandLine[]>();
  const known = new Set(commands.map((c) => c.n));
  for (const command of commands) {
    const parent = known.has(command.parent) && command.parent < command.n ? command.parent : 0;
    children.set(parent, [...(children.get(parent) ?? []), command]);
  }
  const branch = (list: readonly CommandLine[], level: number): HTMLElement[] =>
    list.map((command) => {
      const below = children.get(command.n) ?? [];
      return el(
        'li',
        {
          role: 'treeitem',
          'aria-level': level,
          'aria-expanded': below.length > 0 ? 'true' : null,
          tabindex: -1,
          'data-command': command.n,
          class: command.decided ? 'decided' : null,
        },
        el(
          'div',
          { class: 'command' },
          el('span', { class: 'n' }, String(command.n)),
          el('code', {}, command.text),
          command.name === null ? el('span', { class: 'zone zone-unknown' }, 'unknown program') : null,
          command.notes.length === 0 ? null : el('p', { class: 'notes' }, command.notes.join('; ')),
          command.effects.length === 0 ? null : effectList(command.effects),
        ),
        below.length === 0 ? null : el('ul', { role: 'group' }, ...branch(below, level + 1)),
      );
    });
  const tree = el('ul', { role: 'tree', class: 'tree', 'aria-label': 'Commands' }, ...branch(children.get(0) ?? [], 1));
  tree.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
  tree.addEventListener('keydown', onKey);
  for (const name of ['focusin', 'pointerover'])
    tree.addEventListener(name, (event) => highlight(pane, itemOf(event.target)?.dataset['command'] ?? ''));
  for (const name of ['focusout', 'pointerleave']) tree.addEventListener(name, () => highlight(pane, ''));
  tree.addEventListener('click', (event) => {
    const item = itemOf(event.target);
    if (item !== null && String(getSelection()) === '') focus(item);
  });
  return tree;
}

function itemOf(target: EventTarget | null): HTMLElement | null {
  return (target as Element).closest<HTMLElement>('[role=treeitem]');
}

function highlight(pane: HTMLElement, n: string): void {
  for (const mark of pane.querySelectorAll<HTMLElement>('.source .mark'))
    mark.classList.toggle('lit', n !== '' && (mark.dataset['commands'] ?? '').includes(` ${n} `));
}

function focus(item: HTMLElement): void {
  const tree = item.closest('[role=tree]') as HTMLElement;
  for (const other of tree.querySelectorAll('[tabindex="0"][role=treeitem]')) other.setAttribute('tabindex', '-1');
  item.setAttribute('tabindex', '0');
  item.focus();
}

function onKey(event: KeyboardEvent): void {
  const item = itemOf(event.target);
  const tree = item?.closest('[role=tree]');
  if (item === null || tree == null) return;
  const all = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')].filter((one) => one.offsetParent !== null);
  const at = all.indexOf(item);
  const open = item.getAttribute('aria-expanded');
  const parent = item.parentElement?.closest<HTMLElement>('[role=treeitem]') ?? null;
  let to: HTMLElement | null | undefined;
  if (event.key === 'ArrowDown') to = all[at + 1];
  else if (event.key === 'ArrowUp') to = all[at - 1];
  else if (event.key === 'Home') to = all[0];
  else if (event.key === 'End') to = all[all.length - 1];
  else if (event.key === 'ArrowRight') {
    if (open === 'false') item.setAttribute('aria-expanded', 'true');
    else if (open === 'true') to = all[at + 1];
  } else if (event.key === 'ArrowLeft') {
    if (open === 'true') item.setAttribute('aria-expanded', 'false');
    else to = parent;
  } else return;
  event.preventDefault();
  event.stopPropagation();
  if (to != null) focus(to);
}
