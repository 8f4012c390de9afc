import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SNIPPETS } from '../cases/shell/snippets.ts';
import { analysed } from '../unit/shell/analysed.ts';

/** Pieces that shell syntax is made of, to build texts that nearly make sense. */
const PIECES = [
  ...['$(', ')', '`', '"', "'", '$((', '))', '${', '}', '{', '(', '[[', ']]', '<<E\n', '\nE\n', '<<<', '>', '>>', '<('],
  ...['&&', '||', '|', ';', '&', '\n', '\\', '#', '!', '*', '?', '~', '=', '$x', '${x:-', '${!x}', '$@', '$1', '-rf'],
  ...['if ', 'then ', 'fi', 'for i in ', 'do ', 'done', 'while ', 'case x in ', 'esac', 'f() ', 'eval ', 'cd ', 'rm '],
  ...[
    'a',
    'b ',
    ' ',
    '\t',
    'x=1 ',
    'trap ',
    'exec ',
    'source ',
    'read x',
    'declare -A m',
    '\u0000',
    '\ue0000\ue001',
    '\u202e',
  ],
];

describe('it never throws, and spans show the text they stand for', () => {
  const holds = (text: string): void => {
    const result = analysed(text);
    for (const command of result.commands)
      if (command.span) {
        const shown = text.replaceAll('\ue000', '\ufffd').slice(command.span.start, command.span.end);
        expect(shown.includes(command.text) || command.text.includes(shown), `${shown} is not ${command.text}`).toBe(
          true,
        );
      }
    expect(result.unknowns.filter((u) => u.reason.startsWith('the analysis failed'))).toEqual([]);
  };

  it('on any text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), holds), { numRuns: 400 });
  });

  it('on pieces of syntax in any order', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((p) => p.join(''));
    fc.assert(fc.property(text, holds), { numRuns: 1500 });
  });

  it('on real snippets with a part cut out, doubled or swapped', () => {
    const mutant = fc
      .tuple(fc.constantFrom(...SNIPPETS), fc.constantFrom(...SNIPPETS), fc.nat(), fc.nat(), fc.nat({ max: 3 }))
      .map(([a, b, from, length, how]) => {
        const at = from % (a.length + 1);
        const end = Math.min(a.length, at + (length % 12));
        if (how === 0) return a.slice(0, at) + a.slice(end);
        if (how === 1) return a.slice(0, end) + a.slice(at);
        return how === 2 ? a.slice(0, at) + b + a.slice(end) : a.slice(0, at) + b.slice(at % (b.length + 1));
      });
    fc.assert(fc.property(mutant, holds), { numRuns: 1500 });
  });
});

/** Ways to write a word that bash reads as the same word. */
function spellings(word: string, name: string): readonly ((prelude: string[]) => string)[] {
  const octal = (c: string): string => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;
  const hex = (c: string): string => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const half = word.length >> 1;
  const [a, b] = [word.slice(0, half), word.slice(half)];
  return [
    () => word,
    () => `'${word}'`,
    () => `"${word}"`,
    () => [...word].map((c) => `\\${c}`).join(''),
    () => `$'${[...word].map(hex).join('')}'`,
    () => `$'${[...word].map(octal).join('')}'`,
    () => `${a}''${b}`,
    () => `"${a}"'${b}'`,
    () => `${a}\\\n${b}`,
    () => `$(echo ${word})`,
    () => `"$(printf %s '${word}')"`,
    () => `\`echo ${word}\``,
    () => `\${unset_${name}-${word}}`,
    () => `$(rev <<< '${[...word].reverse().join('')}')`,
    (prelude) => {
      prelude.push(`${name}='${word}'`);
      return `"$${name}"`;
    },
    (prelude) => {
      prelude.push(`${name}=${a}`, `${name}+=${b}`);
      return `\${${name}}`;
    },
    (prelude) => {
      prelude.push(`${name}=x${word}y`, `${name}=\${${name}#x}`);
      return `\${${name}%y}`;
    },
    (prelude) => {
      prelude.push(`${name}=(x ${word})`);
      return `\${${name}[1]}`;
    },
    (prelude) => {
      prelude.push(`read -r ${name} <<< ${word}`);
      return `$${name}`;
    },
    (prelude) => {
      prelude.push(`printf -v ${name} '%s%s' ${a === '' ? "''" : a} ${b}`);
      return `$${name}`;
    },
    (prelude) => {
      prelude.push(`${name}_r=${name}_v; ${name}_v=${word}`);
      return `\${!${name}_r}`;
    },
    (prelude) => {
      prelude.push(`${name}=${word.toUpperCase()}`);
      return word === word.toLowerCase() ? `\${${name},,}` : word;
    },
  ];
}

/** Ways to run a command inside something. */
const WRAPPINGS: readonly ((command: string) => string)[] = [
  (c) => `( ${c}\n)`,
  (c) => `{ ${c}\n}`,
  (c) => `true && ${c}`,
  (c) => `false || { ${c}\n}`,
  (c) => `if true; then ${c}\nfi`,
  (c) => `if unknown-thing; then :; else ${c}\nfi`,
  (c) => `for i in 1 2; do ${c}\ndone`,
  (c) => `while unknown-thing; do ${c}\ndone`,
  (c) => `case x in y) ;; *) ${c}\n;; esac`,
  (c) => `f() { ${c}\n}; f`,
  (c) => `echo "$( ${c}\n)"`,
  (c) => `: <(${c}\n)`,
  (c) => `eval ${quoted(c)}`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `sudo sh -c ${quoted(c)}`,
  (c) => `env A=1 bash -c ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | bash`,
  (c) => `bash <<< ${quoted(c)}`,
  (c) => `bash <<'E${c.length}'\n${c}\nE${c.length}\n`,
  (c) => `source <(echo ${quoted(c)})`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `echo ${quoted(c)} > /tmp/s.sh; sh /tmp/s.sh`,
  (c) => `x=$( ${c}\n)`,
  (c) => `cat <<E${c.length}\n$( ${c}\n)\nE${c.length}\n`,
  (c) => `nohup bash -c ${quoted(c)} &`,
  (c) => `time { ${c}\n}`,
  (c) => `! ( ${c}\n)`,
  (c) => `coproc { ${c}\n}`,
  (c) => `printf '%s' ${quoted(c)} | xargs -0 -I{} bash -c '{}'`,
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const TARGET = '/home/dev/work';

function deletesTarget(text: string): boolean {
  return analysed(text).files.some((f) => f.op === 'delete' && f.real === TARGET && f.recursive);
}

describe('one command, however it is written', () => {
  it('is the same command', () => {
    const words = ['rm', '-rf', TARGET].map((w, i) => fc.constantFrom(...spellings(w, `v${i}`)));
    fc.assert(
      fc.property(fc.tuple(...(words as [(typeof words)[0], (typeof words)[0], (typeof words)[0]])), (chosen) => {
        const prelude: string[] = [];
        const command = chosen.map((spell) => spell(prelude)).join(' ');
        const text = [...prelude, command].join('; ');
        const found = analysed(text).commands.some(
          (c) => JSON.stringify(c.argv) === JSON.stringify(['rm', '-rf', TARGET]),
        );
        expect(found, text).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is found inside anything that runs it', () => {
    const layers = fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(layers, (wrap) => {
        const text = wrap.reduce((command, layer) => layer(command), `rm -rf ${TARGET}`);
        expect(deletesTarget(text), text).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('is found behind any padding', () => {
    const pad = fc.constantFrom(
      'ls',
      ':',
      'echo "a b"',
      'x=1',
      'cd .',
      'true && false',
      '# text',
      'f() { ls; }',
      'y=$(date)',
    );
    fc.assert(
      fc.property(fc.array(pad, { maxLength: 30 }), fc.nat({ max: 2000 }), (before, spaces) => {
        const text = `${before.join('\n')}\n${' '.repeat(spaces)}rm -rf ${TARGET}`;
        expect(deletesTarget(text), text).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
