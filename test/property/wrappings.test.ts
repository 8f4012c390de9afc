import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../support/judge.ts';
import { runs } from './runs.ts';
import { quoted, WRAPPINGS, wrapped } from './wrappings/wrap.ts';

const HARM = ['rm -rf /home/dev/work', 'tee /etc/hosts', 'dd if=/dev/zero of=/dev/sda', 'chmod -R 777 /etc'] as const;

/** Rows that take a command as plain words, and give plain words again. */
const OF_WORDS = WRAPPINGS.filter((row) => /^(?!heroku|eval|coproc|exec|command)[\w §.:=%/@,+-]+ §$/.test(row));
/**
 * Rows that take any shell text as one quoted word. Left out are those that split it at blanks or lines, that have a
 * grammar of their own, and aliases, which don't run inside themselves.
 */
const NO_SHELL =
  /^(env -|sh -c '\$0'|a='§'; (eval )?\$a|read -r a|cross-env|printf 'all|just|pwsh|powershell|cmd|(shopt.*)?alias|complete|socat|.*\| parallel)/;
const OF_TEXT = WRAPPINGS.filter((row) => row.includes("'§'") && row.split('§').length === 2 && !NO_SHELL.test(row));

/** Ways to write `rm` that no quoting around them changes. */
const NAMES = ['rm', '/bin/rm', '/usr/bin/rm', 'command rm', 'env rm', 'r\\m', 'r""m', '"rm"', "'r'm", "$'\\x72m'"];

describe('what is denied is not allowed because something else runs it', () => {
  it.each(HARM)('%s, once', (harm) => {
    expect(judge(harm).answer).not.toBe('allow');
    const allowed = WRAPPINGS.map((row) => wrapped(row, harm)).filter((text) => judge(text).answer === 'allow');
    expect(allowed).toEqual([]);
  });

  it('nested', () => {
    const nested = fc.record({
      words: fc.array(fc.constantFrom(...OF_WORDS), { maxLength: 2 }),
      any: fc.constantFrom(...WRAPPINGS),
      texts: fc.array(fc.constantFrom(...OF_TEXT), { maxLength: 2 }),
      harm: fc.constantFrom(...HARM),
    });
    const property = fc.property(nested, ({ words, any, texts, harm }) => {
      const plain = words.reduce((command, row) => wrapped(row, command), harm);
      const text = texts.reduce((command, row) => wrapped(row, command), wrapped(any, plain));
      expect([judge(text).answer, text]).not.toEqual(['allow', text]);
    });
    fc.assert(property, { numRuns: runs(300) });
  });

  it('nested, and written oddly', () => {
    const odd = fc.record({
      name: fc.constantFrom(...NAMES),
      words: fc.array(fc.constantFrom(...OF_WORDS), { maxLength: 2 }),
      texts: fc.array(fc.constantFrom(...OF_TEXT), { minLength: 1, maxLength: 3 }),
    });
    const property = fc.property(odd, ({ name, words, texts }) => {
      const plain = words.reduce((command, row) => wrapped(row, command), `${name} -rf /home/dev/work`);
      const text = texts.reduce((command, row) => wrapped(row, command), plain);
      expect([judge(text).answer, text]).not.toEqual(['allow', text]);
    });
    fc.assert(property, { numRuns: runs(300) });
  });
});

/** What agents do all day stays allowed inside what agents run it with. */
const WORK = ['npm test', 'ls -la src', 'git status --short', 'cargo build', 'python3 -m pytest -q'] as const;
const ORDINARY = [
  'time §',
  'env CI=1 §',
  'timeout 300 §',
  'nice -n 10 §',
  'nohup § > /tmp/out.log 2>&1 &',
  'stdbuf -oL § | tail -20',
  "bash -c '§'",
  "bash -lc '§'",
  "sh -c '§'",
  'npx -y cross-env CI=1 §',
  'poetry run §',
  'uv run §',
  'bundle exec §',
  'mise exec -- §',
  'direnv exec . §',
  "watch -n 5 '§'",
  "hyperfine --warmup 1 '§'",
  'flock /tmp/build.lock §',
  'if §; then echo ok; else echo failed; fi',
  'for i in 1 2 3; do §; done',
  '( cd src && § )',
  '{ §; } 2>&1 | tee /tmp/out.log',
  'set -euo pipefail; §',
  "eval '§'",
  "tmux new-session -d -s w '§'",
  "script -qc '§' /dev/null",
  'f() { §; }; f',
  'out=$(§); echo "$out"',
  '§ || true',
  '! §',
] as const;

describe('ordinary work is not stopped because something else runs it', () => {
  it.each(WORK)('%s', (command) => {
    expect(judge(command).answer).toBe('allow');
    const stopped = ORDINARY.map((row) => row.replaceAll("'§'", () => quoted(command)).replaceAll('§', command));
    expect(stopped.filter((text) => judge(text).answer !== 'allow')).toEqual([]);
  });
});
