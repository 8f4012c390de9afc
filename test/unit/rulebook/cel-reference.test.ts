import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { celReference } from '../../../src/rulebook/cel-reference.ts';
import { TYPES } from '../../../src/rulebook/cel-surface.ts';
import { command, dest, effect, facts, file } from '../policy/facts.ts';

describe('the rule language', () => {
  it('has its reference in the guide', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/cel-reference.md'), 'utf8');
    expect(guide).toBe(celReference());
  });

  it.each([
    ['Command', { ...command('x') }, ['span']],
    ['File', file('move', '/x', { to: '/y' }), []],
    ['Dest', dest('x'), []],
    ['Effect', effect('publish'), []],
    ['Event', facts().event, []],
    ['Tool', facts().tool, []],
    ['Git', facts().git, []],
  ])('%s has the fields of the facts', (type, fact, hidden) => {
    const fields = Object.keys(TYPES[type]?.fields ?? {}).sort();
    expect(fields).toEqual(
      Object.keys(fact)
        .filter((k) => !(hidden as string[]).includes(k))
        .sort(),
    );
  });
});
