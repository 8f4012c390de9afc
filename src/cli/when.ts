import { GovError } from '../base/errors.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * A moment as people write it, in milliseconds since 1970: `30m`, `2h`, `7d`, `2w` (ago), `now`, `today`,
 * `yesterday`, `2026-01-05`, `2026-01-05 09:30`, ISO 8601. Days begin at midnight UTC, and times without a zone are
 * UTC, as all times that gov prints. Throws `usage-time`.
 */
export function parseWhen(text: string, now: number): number {
  const word = text.trim().toLowerCase();
  const midnight = Math.floor(now / 86_400_000) * 86_400_000;
  if (word === 'now') return now;
  if (word === 'today') return midnight;
  if (word === 'yesterday') return midnight - 86_400_000;
  const ago = /^(\d{1,6})\s?(s|m|h|d|w)[a-z]*(?:\sago)?$/.exec(word);
  if (ago !== null) return now - Number(ago[1]) * (UNITS[ago[2] ?? 's'] ?? 0);
  const date = /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(z|[+-]\d{2}:?\d{2})?)?$/.exec(word);
  const at =
    date === null ? Number.NaN : Date.parse(`${date[1]}T${date[2] ?? '00:00'}${(date[3] ?? 'z').toUpperCase()}`);
  if (Number.isNaN(at))
    throw new GovError({
      code: 'usage-time',
      message: `\`${text}\` is not a time`,
      help: 'write 30m, 2h, 7d, today, yesterday, 2026-01-05 or 2026-01-05T09:30:00Z',
    });
  return at;
}
