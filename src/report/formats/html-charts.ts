import type { Report } from '../report.ts';
import { stepName } from '../timeline.ts';
import { grouped, text } from './html-text.ts';

// Charts are SVG shapes; positions are attributes, since inline styles are forbidden.

const WIDTH = 720;
const HEIGHT = 150;
const LEFT = 44;

/** Stacked bars over time: allowed below, blocked on top. */
export function timeChart({ timeline: { step, buckets } }: Report): string {
  if (buckets.length === 0) return '';
  const most = niceTop(Math.max(1, ...buckets.map((b) => b.allow + b.ask + b.deny + b.halt)));
  const slot = (WIDTH - LEFT) / buckets.length;
  const width = num(Math.max(1, Math.min(slot * 0.85, 40)));
  const grid = [0, 0.5, 1]
    .filter((share) => Number.isInteger(most * share))
    .map((share) => {
      const y = num(HEIGHT - share * (HEIGHT - 10));
      return `<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${num(Number(y) + 4)}" text-anchor="end">${grouped(most * share)}</text>`;
    });
  const bars = buckets.map((b, i) => {
    let top = HEIGHT;
    const rects = partsOf(b).map(([kind, n]) => {
      if (n === 0) return '';
      const height = Math.max(1.5, (n / most) * (HEIGHT - 10));
      top -= height;
      return `<rect class="${kind}" x="${num(LEFT + i * slot)}" y="${num(top)}" width="${width}" height="${num(height)}"/>`;
    });
    const title = `${stepName(b.start, step)}: ${b.allow} allowed, ${b.ask} asked, ${b.deny + b.halt} blocked`;
    return `<g><title>${text(title)}</title>${rects.join('')}</g>`;
  });
  const [first, last] = [buckets[0], buckets[buckets.length - 1]].map((b) => text(stepName(b?.start ?? 0, step)));
  const ends =
    buckets.length === 1
      ? `<text x="${LEFT}" y="${HEIGHT + 16}">${first}</text>`
      : `<text x="${LEFT}" y="${HEIGHT + 16}">${first}</text><text x="${WIDTH}" y="${HEIGHT + 16}" text-anchor="end">${last}</text>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 20}" role="img" aria-label="decisions by ${step}, blocked ones on top">${grid.join('')}${bars.join('')}${ends}</svg>`;
}

/** What the colours mean. */
export const LEGEND = `<ul class="legend">${(
  [
    ['allow', 'went ahead'],
    ['ask', 'a person was asked'],
    ['deny', 'blocked'],
  ] as const
)
  .map(
    ([kind, name]) =>
      `<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${kind}" width="10" height="10"/></svg>${name}</li>`,
  )
  .join('')}</ul>`;

/** One bar as long as its share of `most`, in the colours of what it is made of. */
export function shareBar(counts: { allow: number; ask: number; deny: number; halt: number }, most: number): string {
  let x = 0;
  const parts = partsOf(counts).map(([kind, n]) => {
    if (n === 0) return '';
    const width = Math.max(0.8, (n / Math.max(1, most)) * 100);
    const rect = `<rect class="${kind}" x="${num(x)}" y="0" width="${num(Math.min(width, 100 - x))}" height="10"/>`;
    x = Math.min(100, x + width);
    return rect;
  });
  return `<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="10"/>${parts.join('')}</svg>`;
}

function partsOf(b: { allow: number; ask: number; deny: number; halt: number }) {
  return [
    ['allow', b.allow],
    ['ask', b.ask],
    ['deny', b.deny + b.halt],
  ] as const;
}

/** The next round number, so that the lines of the grid are round too. */
function niceTop(n: number): number {
  const unit = 10 ** Math.floor(Math.log10(n));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= n) ?? 10) * unit;
}

function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}
