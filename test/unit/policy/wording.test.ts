import { describe, expect, it } from 'vitest';
import { readable, sentenceOf } from '../../../src/policy/wording.ts';

const MESSAGE = 'This call would delete files.';
const say = (because: 'match' | 'dynamic' | 'uncertain' | 'error', note = '', exact = '', message = MESSAGE) =>
  sentenceOf({ message, exact, because, note });

describe('the sentence of a rule', () => {
  it.each<[string, string, string]>([
    ['sure', say('match'), 'This call would delete files.'],
    ['sure and exact', say('match', '', 'This call would delete /x.'), 'This call would delete /x.'],
    ['sure, with an unknown part', say('match', '', 'It deletes /x/${value of $A is not known}.'), 'It deletes /x/$A.'],
    [
      'not known: the exact sentence would sound sure',
      say('dynamic', 'value of $DIR is not known', 'This call would delete /x.'),
      "It can't be known whether this call would delete files: the value of $DIR is not known.",
    ],
    [
      'not known, and the facts do not say why',
      say('dynamic'),
      "It can't be known whether this call would delete files: a part of it is only known when it runs.",
    ],
    [
      'not known, of a rule with another kind of message',
      say('dynamic', 'standard input', '', 'Policy can only be changed by a person'),
      "Policy can only be changed by a person. Whether that holds here can't be known: standard input is only known when it runs.",
    ],
    [
      'a guess',
      say('uncertain', '', 'This call would delete /x.'),
      'This call may delete /x: it stands in code that was only scanned, or that may not run.',
    ],
    [
      'a guess, of a rule with another kind of message',
      say('uncertain', '', '', 'No'),
      'No. Perhaps: it stands in code that was only scanned, or that may not run.',
    ],
    [
      'a fault',
      say('error', 'division by zero'),
      "It can't be known whether this call would delete files: the condition of the rule failed (division by zero).",
    ],
  ])('%s', (_name, got, want) => {
    expect(got).toBe(want);
  });

  it.each([
    ['value of $DIR is not known', 'the value of $DIR is not known'],
    ['output of $(cat x) is not known', 'the output of $(cat x) is not known'],
    ['$i changes in a loop', '$i changes in a loop'],
    ['part of a path', 'part of a path is only known when it runs'],
    ['names that match *.o', 'names that match *.o are only known when it runs'],
    ['a number that is not known', 'a number is only known when it runs'],
    ['more arguments that are not known', 'more arguments are only known when it runs'],
    ['name in a directory', 'the name in a directory is only known when it runs'],
  ])('%s', (reason, want) => {
    expect(say('dynamic', reason)).toBe(`It can't be known whether this call would delete files: ${want}.`);
  });

  it('is one line of at most 400 characters, without anything hidden', () => {
    const long = say('match', '', `a\u001b[31m\nb${'x'.repeat(1000)}`);
    expect([long.length, long.includes('\n'), long.includes('\u001b')]).toEqual([400, false, false]);
  });
});

describe('unknown parts for people', () => {
  it.each([
    ['delete ${value of $X is not known}/a', 'delete $X/a'],
    ['${output of $(cat ${x}) is not known}', '$(cat ${x})'],
    ['${value of $X, or its default, is not known}', '$X'],
    ['${$i changes in a loop}.txt', '$i.txt'],
    ['a ${standard input} b ${cut', 'a … b …'],
    ['plain', 'plain'],
  ])('%s', (text, want) => {
    expect(readable(text)).toBe(want);
  });
});
