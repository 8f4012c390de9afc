import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/policy/decide.ts';
import { agentMessage } from '../../../src/policy/message.ts';
import { command, facts, NOW, policyOf, rule } from './facts.ts';

const rm = facts({ commands: [command('rm', { text: 'rm -rf /etc' })] });
const say = (more: string, ref = 'k7q') =>
  agentMessage(decide(policyOf(rule('fs.rm', 'command', 'true', more)), rm, { now: NOW }), ref);

describe('what the agent is told', () => {
  it('names rule, what, why, what instead, and the record', () => {
    expect(say('effect: deny\nmessage: This call would delete files.\nremediation: Name the files.')).toBe(
      'denied by pack/fs.rm: This call would delete files.\nwhy: rm -rf /etc\ntry: Name the files.\nref: k7q',
    );
  });
  it('prefers the corrected command', () => {
    expect(say('effect: deny\nmessage: No.\nremediation: Name the files.\nsuggest: \'"ls"\'')).toContain('try: ls\n');
  });
  it.each([
    ['ask', 'needs approval by pack/fs.rm: No.'],
    ['halt', 'stopped by pack/fs.rm: No.'],
  ])('%s', (effect, first) => {
    expect(say(`effect: ${effect}\nmessage: No.`, '').split('\n')).toEqual([first, 'why: rm -rf /etc']);
  });
  it('without a rule says what the preset says', () => {
    const strict = { ...policyOf(rule('a.b', 'file', 'true')), defaultEffect: 'ask' as const, preset: 'strict' };
    expect(agentMessage(decide(strict, rm, { now: NOW }), 'k7q')).toBe(
      'needs approval: no rule allows this call (preset strict)\nref: k7q',
    );
  });
});
