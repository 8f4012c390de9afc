import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('../../../src/replay/web/viewer.css', import.meta.url), 'utf8');
const light = colours(/^:root \{([^}]*)\}/.exec(css)?.[1]);
const dark = colours(/:root\[data-theme="dark"\] \{([^}]*)\}/.exec(css)?.[1]);
const system = colours(/:root:not\(\[data-theme="light"\]\) \{([^}]*)\}/.exec(css)?.[1]);

function colours(block = ''): ReadonlyMap<string, string> {
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1] as string, m[2] as string]));
}

/** WCAG 2.2: relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const PAIRS = [
  ...['ink', 'dim', 'accent', 'allow', 'ask', 'deny'].flatMap((text) => [
    [text, 'paper'],
    [text, 'panel'],
  ]),
  ...['ink', 'dim', 'accent', 'ask', 'deny'].map((text) => [text, 'accent-paper']),
  ['allow', 'allow-paper'],
  ['ask', 'ask-paper'],
  ['deny', 'deny-paper'],
  ['ink', 'deny-paper'],
] as const;

test.each([
  ['light', light],
  ['dark', dark],
])('text can be read: %s', (_name, theme) => {
  const weak = PAIRS.map(([text, paper]) => ({
    text,
    paper,
    ratio: contrast(theme.get(text ?? '') ?? '#000000', theme.get(paper ?? '') ?? '#000000'),
  }));
  expect(weak.filter((pair) => pair.ratio < 4.5)).toEqual([]);
});

test('the dark theme is the same whether the system or the person chose it', () => {
  expect(dark.size).toBeGreaterThan(10);
  expect(system).toEqual(dark);
});

/** Shapes that mean something: WCAG 2.2, 1.4.11. */
test.each([
  ['light', light],
  ['dark', dark],
])('the chart can be seen: %s', (_name, theme) => {
  const weak = ['allow-bar', 'ask', 'deny', 'other', 'accent'].map((shape) => ({
    shape,
    ratio: contrast(theme.get(shape) ?? '#000000', theme.get('paper') ?? '#000000'),
  }));
  expect(weak.filter(({ ratio }) => ratio < 3)).toEqual([]);
});
