import { describe, expect, test } from 'vitest';
import { type Ask, judge } from './judge.ts';

/** `deny`: blocked; `stop`: blocked or asked; `allow`: passes, the harmless twin of an attack. */
export type Want = 'deny' | 'stop' | 'allow';
export type Row = readonly [command: string, want: Want, ask?: Ask];

/** One table of attacks, each as a test of its own. */
export function attacks(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each([...rows] as [string, Want, Ask?][])('%s → %s', (command, want, ask) => {
      const { answer, rules } = judge(command, ask);
      const got = answer === 'halt' ? 'deny' : answer;
      const seen = `${got} ${rules.map((r) => r.id).join(' ')}`;
      if (want === 'stop') expect(seen).not.toMatch(/^allow/);
      else expect(seen).toMatch(new RegExp(`^${want}`));
    });
  });
}
