import { visible } from '../../base/escape.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** SECURITY: the one way by which a text of a record gets into the page. */
export function text(value: string): string {
  return visible(value).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? '');
}

/** `12,345`: digits in groups of three, the same whatever the locale. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A share of a whole as people read it: `0.4 %`, `37 %`. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '0 %';
  const share = (part / whole) * 100;
  if (share > 99 && part < whole) return `${Math.min(99.9, Math.floor(share * 10) / 10)} %`;
  return share > 0 && share < 10 ? `${Math.max(0.1, Math.round(share * 10) / 10)} %` : `${Math.round(share)} %`;
}
