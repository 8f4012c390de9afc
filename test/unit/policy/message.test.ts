import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import { decide } from '../../../src/policy/decide.ts';
import { agentMessage } from '../../../src/policy/message.ts';
import { command, effect, facts, file, NOW, policyOf, rule } from './facts.ts';

const rm = facts({ commands: [command('rm', { text: 'rm -rf /etc' })] });
const say = (more: string, ref = 'k7q') =>
  agentMessage(decide(policyOf(rule('fs.rm', 'command', 'true', more)), rm, { now: NOW }), ref);

describe('what the agent is told', () => {
  it('names rule, what, why, what instead, and the record', () => {
    expect(say('effect: deny\nmessage: This call would delete files.\nremediation: Name the files.', 'abk7q')).toBe(
      'denied by pack/fs.rm: This call would delete files.\nwhy: Title of fs.rm: rm -rf /etc\ntry: Name the files.\na person can allow it: gov elevate approve BK7Q\nref: abk7q',
    );
  });
  it('names no way to allow what a hard rule forbids', () => {
    expect(say('effect: deny\nlevel: hard\nmessage: No.')).not.toContain('allow it');
  });
  it('prefers the corrected command', () => {
    expect(say('effect: deny\nmessage: No.\nremediation: Name the files.\nsuggest: \'"ls"\'')).toContain('try: ls\n');
  });
  it.each([
    ['ask', 'needs approval by pack/fs.rm: No.'],
    ['halt', 'stopped by pack/fs.rm: No.'],
  ])('%s', (effect, first) => {
    expect(say(`effect: ${effect}\nmessage: No.`, '').split('\n')).toEqual([first, 'why: Title of fs.rm: rm -rf /etc']);
  });
  it('without a rule says what the preset says', () => {
    const strict = { ...policyOf(rule('a.b', 'file', 'true')), defaultEffect: 'ask' as const, preset: 'strict' };
    expect(agentMessage(decide(strict, rm, { now: NOW }), 'k7q')).toBe(
      'needs approval: no rule allows this call (preset strict)\nref: k7q',
    );
  });
});

describe('why', () => {
  const why = (text: string) => /^why: (.*)$/m.exec(text)?.[1] ?? '';
  const tell = (given: Facts, each: string, when: string, more: string) =>
    why(agentMessage(decide(policyOf(rule('a.b', each, when, more)), given, { now: NOW }), ''));
  const deletes = facts({ files: [file('delete', '/etc/x')] });
  it.each<[string, Facts, string, string, string, string]>([
    ['what was found', deletes, 'file', 'true', 'message: No.', 'Title of a.b: delete /etc/x'],
    ['once', deletes, 'file', 'true', `message_expr: '"It deletes " + file.real + "."'`, 'Title of a.b'],
    [
      'without a word of the rule language',
      facts({ effects: [effect('vcs-push', { detail: 'to main' })] }),
      'effect',
      'true',
      'message: No.',
      'Title of a.b: to main',
    ],
    ['without the name of the tool', facts(), '', 'true', 'message: No.', 'Title of a.b'],
    ['no title that the message repeats', deletes, 'file', 'true', '', 'delete /etc/x'],
    [
      'an unknown name as it is written',
      facts({ files: [file('delete', null, { path: '/a/${value of $D is not known}/b' })] }),
      'file',
      'outside(file)',
      'message: No.',
      'Title of a.b: delete /a/$D/b',
    ],
  ])('%s', (_name, given, each, when, more, want) => {
    expect(tell(given, each, when, `effect: deny\n${more}`)).toBe(want);
  });
});
