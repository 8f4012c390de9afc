import { hash } from 'node:crypto';

/** SHA-256 of a text or bytes, lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** JSON with sorted keys and no spaces (the shape of RFC 8785 for our values); `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const out: Record<string, unknown> = Object.create(null);
  for (const [key, v] of entries) out[key] = sorted(v);
  return out;
}
