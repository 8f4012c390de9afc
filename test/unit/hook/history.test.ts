import { expect, test } from 'vitest';
import { storeHistory } from '../../../src/hook/history.ts';
import type { Mark } from '../../../src/model/decision.ts';

const DIGEST = 'a'.repeat(64);
const mark = (key: string): Mark => ({ rule: 'r', step: 'failure', key, at: 1, weight: 1 });

test('a key is looked for as it is, and with its digest keyed as it stands where the call held a secret', () => {
  const asked: (readonly string[])[] = [];
  const history = storeHistory(
    (_rule, keys) => {
      asked.push(keys);
      return keys.map(mark);
    },
    (digest) => `hmac:${digest.slice(0, 4)}`,
  );
  expect(history.marks('r', `s1 ${DIGEST}`, 0).map((m) => m.key)).toEqual([`s1 ${DIGEST}`, 's1 hmac:aaaa']);
  history.marks('r', 's1', 0);
  expect(asked).toEqual([[`s1 ${DIGEST}`, 's1 hmac:aaaa'], ['s1']]);
});

test('a store that can’t be read is asked once', () => {
  let asked = 0;
  const history = storeHistory(
    () => {
      asked++;
      throw new Error('locked');
    },
    () => null,
  );
  expect(() => history.marks('r', 's1', 0)).toThrow('locked');
  expect(() => history.marks('q', 's1', 0)).toThrow('locked');
  expect(asked).toBe(1);
});
