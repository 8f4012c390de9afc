import { stepAt } from '../pace.ts';
import { offsetOf } from '../text.ts';
import { isHeld, type Step, wordOf } from '../timeline.ts';
import { byId } from './dom.ts';

export interface Chart {
  show(steps: readonly Step[], pace: readonly number[]): void;
  /** Where the play head stands, in played milliseconds. */
  head(ms: number): void;
  zoom(factor: number): void;
  fit(): void;
}

const BUCKET = 4;
const AXIS = 18;
const LANE = 16;
const PAD = 10;

/**
 * The session over played time: bars say how many calls were made, by answer; marks above them where calls were
 * denied (✗) or asked about (?). The wheel zooms, dragging moves, a click goes there.
 */
export function makeChart(onPick: (place: number) => void): Chart {
  const canvas = byId<HTMLCanvasElement>('chart');
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  let steps: readonly Step[] = [];
  let pace: readonly number[] = [];
  let now = 0;
  let from = 0;
  let to = 1;
  let waiting = false;

  const end = (): number => Math.max(1, pace[pace.length - 1] ?? 0);
  const width = (): number => Math.max(1, canvas.clientWidth - PAD * 2);
  const xOf = (ms: number): number => PAD + ((ms - from) / (to - from)) * width();
  const msOf = (x: number): number => from + ((x - PAD) / width()) * (to - from);
  const later = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(context, { steps, pace, now, from, to, xOf });
    });
  };
  const range = (a: number, b: number): void => {
    const least = Math.min(200, end());
    const span = Math.min(end(), Math.max(least, b - a));
    from = Math.max(0, Math.min(end() - span, a));
    to = from + span;
    later();
  };
  const zoomAt = (factor: number, ms: number): void => range(ms - (ms - from) / factor, ms + (to - ms) / factor);

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const by = ((event.deltaX || event.deltaY) / width()) * (to - from);
        range(from + by, to + by);
      } else zoomAt(event.deltaY < 0 ? 1.25 : 0.8, msOf(event.offsetX));
    },
    { passive: false },
  );
  let drag: { readonly x: number; readonly from: number; readonly to: number; moved: boolean } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.offsetX, from, to, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag === null) return;
    if (Math.abs(event.offsetX - drag.x) > 3) drag.moved = true;
    const by = ((drag.x - event.offsetX) / width()) * (drag.to - drag.from);
    if (drag.moved) range(drag.from + by, drag.to + by);
  });
  canvas.addEventListener('pointerup', (event) => {
    const moved = drag?.moved ?? true;
    drag = null;
    if (moved || pace.length === 0) return;
    onPick(nearest(pace, steps, msOf(event.offsetX), ((to - from) / width()) * 6));
  });
  canvas.addEventListener('pointercancel', () => {
    drag = null;
  });
  new ResizeObserver(later).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', later);
  new MutationObserver(later).observe(document.documentElement, { attributeFilter: ['data-theme'] });

  return {
    show(all, times) {
      const whole = from === 0 && to >= end();
      steps = all;
      pace = times;
      if (whole || to > end()) range(0, end());
      else later();
    },
    head(ms) {
      now = ms;
      if (ms < from || ms > to) {
        const span = to - from;
        range(ms - span / 3, ms - span / 3 + span);
      }
      later();
    },
    zoom: (factor) => zoomAt(factor, now >= from && now <= to ? now : (from + to) / 2),
    fit: () => range(0, end()),
  };
}

/** The step to go to for a click: a held one close by, or the nearest. */
function nearest(pace: readonly number[], steps: readonly Step[], ms: number, reach: number): number {
  const left = stepAt(pace, ms);
  let best = -1;
  for (let i = stepAt(pace, ms - reach); i < pace.length && (pace[i] as number) <= ms + reach; i++)
    if (
      isHeld(steps[i] as Step) &&
      (best < 0 || Math.abs((pace[i] as number) - ms) < Math.abs((pace[best] as number) - ms))
    )
      if ((pace[i] as number) >= ms - reach) best = i;
  if (best >= 0) return best;
  const right = Math.min(pace.length - 1, left + 1);
  return Math.abs((pace[right] as number) - ms) < Math.abs((pace[left] as number) - ms) ? right : left;
}

interface Scene {
  readonly steps: readonly Step[];
  readonly pace: readonly number[];
  readonly now: number;
  readonly from: number;
  readonly to: number;
  xOf(ms: number): number;
}

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { canvas } = context;
  const ratio = devicePixelRatio || 1;
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, w, h);
  context.font = '11px system-ui, sans-serif';
  const floor = h - AXIS;
  axis(context, scene, w, floor, colour);
  const buckets = bucketsOf(scene, w);
  const most = Math.max(1, ...buckets.map((b) => b.allow + b.ask + b.deny + b.other));
  const heightOf = (n: number): number => (n === 0 ? 0 : Math.max(2, Math.sqrt(n / most) * (floor - LANE - 4)));
  for (const [i, bucket] of buckets.entries()) {
    const total = bucket.allow + bucket.ask + bucket.deny + bucket.other;
    if (total === 0) continue;
    const full = heightOf(total);
    let y = floor;
    for (const kind of ['other', 'allow', 'ask', 'deny'] as const) {
      if (bucket[kind] === 0) continue;
      // What was held is what one looks for: it is never thinner than can be seen, and what was allowed is paler.
      const part = Math.max(kind === 'ask' || kind === 'deny' ? 4 : 1.5, (bucket[kind] / total) * full);
      context.fillStyle = colour(kind === 'allow' ? 'allow-bar' : kind);
      context.fillRect(i * BUCKET, y - part, BUCKET - 1, part);
      y -= part;
    }
  }
  marks(context, buckets, colour);
  const x = scene.xOf(scene.now);
  context.fillStyle = colour('accent');
  context.fillRect(Math.round(x) - 1, 2, 2, floor - 2);
  context.beginPath();
  context.moveTo(x - 5, 0);
  context.lineTo(x + 5, 0);
  context.lineTo(x, 7);
  context.fill();
}

interface Bucket {
  allow: number;
  ask: number;
  deny: number;
  other: number;
}

function bucketsOf({ steps, pace, from, to, xOf }: Scene, width: number): Bucket[] {
  const buckets: Bucket[] = Array.from({ length: Math.ceil(width / BUCKET) }, () => ({
    allow: 0,
    ask: 0,
    deny: 0,
    other: 0,
  }));
  let i = stepAt(pace, from);
  if ((pace[i] ?? 0) < from) i++;
  for (; i < pace.length && (pace[i] as number) <= to; i++) {
    const bucket = buckets[Math.floor(xOf(pace[i] as number) / BUCKET)];
    if (bucket === undefined) continue;
    const word = wordOf(steps[i] as Step);
    if (word === 'deny' || word === 'halt') bucket.deny++;
    else if (word === 'ask' || word === 'watch') bucket.ask++;
    else if (word === 'allow') bucket.allow++;
    else bucket.other++;
  }
  return buckets;
}

function marks(context: CanvasRenderingContext2D, buckets: readonly Bucket[], colour: (name: string) => string): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = 'bold 11px system-ui, sans-serif';
  const wanted = buckets.flatMap((b, i) =>
    b.deny > 0 ? [{ i, kind: 'deny' }] : b.ask > 0 ? [{ i, kind: 'ask' }] : [],
  );
  const crowded = wanted.length * 9 > buckets.length * BUCKET;
  let signed = Number.NEGATIVE_INFINITY;
  for (const { i, kind } of wanted) {
    context.fillStyle = colour(kind);
    // Where there is no room for signs, strokes stand.
    const close = (i - signed) * BUCKET < 10;
    if (!crowded && !close) signed = i;
    if (crowded || close) context.fillRect(i * BUCKET, LANE - 8, BUCKET - 1, 8);
    else context.fillText(kind === 'deny' ? '✗' : '?', i * BUCKET + BUCKET / 2, LANE / 2 + 2);
  }
}

const UNITS = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000,
  43_200_000, 86_400_000, 604_800_000,
];

function axis(
  context: CanvasRenderingContext2D,
  scene: Scene,
  w: number,
  floor: number,
  colour: (name: string) => string,
): void {
  context.strokeStyle = colour('line');
  context.beginPath();
  context.moveTo(0, floor + 0.5);
  context.lineTo(w, floor + 0.5);
  const span = scene.to - scene.from;
  const unit = UNITS.find((ms) => (ms / span) * w >= 80) ?? (UNITS[UNITS.length - 1] as number);
  context.fillStyle = colour('dim');
  context.textAlign = 'left';
  context.textBaseline = 'top';
  for (let ms = Math.ceil(scene.from / unit) * unit; ms <= scene.to; ms += unit) {
    const x = Math.round(scene.xOf(ms)) + 0.5;
    context.moveTo(x, floor);
    context.lineTo(x, floor + 4);
    const label = offsetOf(ms);
    if (x + 3 + context.measureText(label).width <= w) context.fillText(label, x + 3, floor + 4);
  }
  context.stroke();
}
