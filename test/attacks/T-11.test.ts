// T-11: what an agent wrote reaches a terminal or a page.
import { describe, expect, test } from 'vitest';
import { visible, visibleLines } from '../../src/base/escape.ts';
import { agentMessage } from '../../src/policy/message.ts';
import { judge } from '../support/judge.ts';

const HOSTILE = [
  ['clears the screen', 'rm -rf /etc/\u001b[2J\u001b[H'],
  ['sets the title', 'rm -rf /etc/\u001b]0;x\u0007'],
  ['turns the reading direction', 'rm -rf /etc/\u202egnp.exe'],
  ['hides characters', 'rm -rf /etc/a\u200bb'],
  ['overwrites the line', 'rm -rf /etc/x\rls'],
  ['uses a C1 control', 'rm -rf /etc/\u009b2J'],
] as const;
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

describe('nothing of it stays', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    expect(visible(text)).not.toMatch(CONTROL);
    expect(visible(text)).not.toContain('\n');
    expect(visibleLines(text)).not.toMatch(CONTROL);
  });
  test.each(HOSTILE)('in the message to the agent: %s', (_, command) => {
    const decision = judge(command);
    expect(decision.answer).not.toBe('allow');
    expect(agentMessage(decision, 'ref')).not.toMatch(CONTROL);
  });
});
