import type { Chart } from './chart.ts';
import { byId } from './dom.ts';
import type { Player } from './player.ts';

interface Parts {
  readonly player: Player;
  readonly chart: Chart;
  openHelp(): void;
}

/** The keys of the terminal viewer, where they don't stand in the way of the browser's own. */
export function bindKeys({ player, chart, openHelp }: Parts): void {
  const steps = byId('steps');
  const page = (): number => Math.max(1, Math.floor(steps.clientHeight / 30) - 1);
  const actions: Readonly<Record<string, () => void>> = {
    ' ': () => player.toggle(),
    j: () => player.move(1),
    k: () => player.move(-1),
    '.': () => player.move(1),
    ',': () => player.move(-1),
    ']': () => player.held(1),
    '[': () => player.held(-1),
    g: () => player.go(0),
    G: () => player.go(Number.MAX_SAFE_INTEGER),
    '>': () => player.faster(1),
    '<': () => player.faster(-1),
    '/': () => byId('filter').focus(),
    d: () => byId('only-held').click(),
    F: () => byId('follow').click(),
    '+': () => chart.zoom(2),
    '=': () => chart.zoom(2),
    '-': () => chart.zoom(0.5),
    '0': () => chart.fit(),
    '?': openHelp,
    Escape: () => steps.focus(),
  };
  const inSteps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => player.move(1),
    ArrowUp: () => player.move(-1),
    PageDown: () => player.move(page()),
    PageUp: () => player.move(-page()),
    Home: () => player.go(0),
    End: () => player.go(Number.MAX_SAFE_INTEGER),
    Enter: () => byId('record').focus(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (byId<HTMLDialogElement>('help').open) return;
    const target = event.target as HTMLElement;
    const typing = target.matches('input[type=search], select, textarea');
    if (typing && event.key === 'Escape') return steps.focus();
    // Space presses buttons, opens summaries and ticks boxes; a slider has keys of its own.
    const own = typing || (event.key === ' ' && target.matches('button, summary, input'));
    if (own) return;
    const action = (target === steps ? inSteps[event.key] : undefined) ?? actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
