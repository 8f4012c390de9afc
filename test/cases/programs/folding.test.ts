import { describe, expect, it } from 'vitest';
import { known, render, type Stream } from '../../../src/model/value.ts';
import { families } from '../../../src/programs/families.ts';
import { type Around, runLine } from './run-model.ts';

const programs = families.flat();

/** What is printed: its text with holes as `${reason}`, `?` if unknown, then its taints. */
function shown(stream: Stream | undefined): string {
  if (!stream) return 'passes on';
  const text = stream.value === null ? '?' : render(stream.value);
  return [text, ...stream.taints.map((taint) => `!${taint}`)].join(' ');
}

const GLOB: Stream = { value: ['a/', { glob: '*' }, '\n'], taints: [] };
const REMOTE: Stream = { value: null, taints: ['network'] };

const ROWS: readonly (readonly [line: string, want: string, around?: Around])[] = [
  ['echo rm -rf /', 'rm -rf /\n'],
  ['echo -n x', 'x'],
  ["echo -e 'a\\tb\\c' d", 'a\tb'],
  ["echo -E 'a\\tb'", 'a\\tb\n'],
  ['echo "a $X"', 'a ${X}\n'],
  ['echo -x', '-x\n'],
  ["printf '\\162\\155'", 'rm'],
  ["printf '%s-%03d|' a 7 b 8", 'a-007|b-008|'],
  ["printf '%5s|%-5s|%x' a b 255", '    a|b    |ff'],
  ["printf '%b' 'a\\nb'", 'a\nb'],
  ["printf '%q' 'a b'", 'a\\ b'],
  ["printf '%d\\n' $n", '${number}\n'],
  ["printf 'x\\cy'", 'x'],
  ["printf '%s' $X", '${X}'],
  ['printf $X a', '?'],
  ["printf '%(%F)T'", '${date}'],
  ["printf '%c%%' abc", 'a%'],
  ["printf '%.2s' abc", 'ab'],
  ['pwd', '/home/dev/project\n'],
  ['basename a/b.c .c', 'b\n'],
  ['basename -a a/b c/d/', 'b\nd\n'],
  ['basename /', '/\n'],
  ['basename $X', '${part of a path}\n'],
  ['dirname /a/b c /x', '/a\n.\n/\n'],
  ['realpath ../x', '/home/dev/x\n'],
  ['readlink f', '?', { files: { f: '' } }],
  ['mktemp -d', '/tmp/tmp.${mktemp}\n'],
  ['mktemp out/a.XXXXXX.txt', 'out/a.${mktemp}.txt\n'],
  ['mktemp -t pre.XXXX', '/tmp/pre.${mktemp}\n'],
  ['mktemp -t pre', '/tmp/pre.${mktemp}\n'],
  ['mktemp --tmpdir=/var/tmp x.XXX', '/var/tmp/x.${mktemp}\n'],
  ['mktemp', '/scratch/tmp.${mktemp}\n', { env: { TMPDIR: '/scratch' } }],
  ['seq 3', '1\n2\n3\n'],
  ['seq 5 -2 1', '5\n3\n1\n'],
  ['seq 1 100000', '?'],
  ['date +%Y-%m/%d', '${date}-${date}/${date}\n'],
  ["date '+%% %n'", '% \n\n'],
  ['whoami', 'dev\n'],
  ['yes', 'y\n'],
  ['true', ''],
  ['cat', 'hi', { stdin: 'hi' }],
  ['cat a b', 'onetwo', { files: { a: 'one', b: 'two' } }],
  ['cat a -', 'oneTWO', { files: { a: 'one' }, stdin: 'TWO' }],
  ['cat -n a', 'passes on', { files: { a: 'one' } }],
  ['cat .env', '${content of /home/dev/project/.env} !secret', { files: { '.env': 'K=v' } }],
  ['cat', 'passes on', { stdin: REMOTE }],
  ['tac', 'b\na\n', { stdin: 'a\nb\n' }],
  ['rev', 'rm -rf ~', { stdin: '~ fr- mr' }],
  ['head -1', 'a\n', { stdin: 'a\nb\n' }],
  ['head -n -1', 'a\n', { stdin: 'a\nb\n' }],
  ['head -c 2', 'ab', { stdin: 'abc' }],
  ['head -1', 'a/${some of *}\n', { stdin: GLOB }],
  ['tail -1', 'b\n', { stdin: 'a\nb\n' }],
  ['tail -n +2', 'b\nc\n', { stdin: 'a\nb\nc\n' }],
  ['sort', 'a\nb\n', { stdin: 'b\na\n' }],
  ['sort -ru', 'b\na\n', { stdin: 'b\na\nb\n' }],
  ['sort -n', 'passes on', { stdin: '2\n10\n' }],
  ['sort', 'a/*\n', { stdin: GLOB }],
  ['grep x', 'a/${some of *}\n', { stdin: GLOB }],
  ['grep -c x', '?', { stdin: GLOB }],
  ['cut -d: -f2', 'b\nplain\n', { stdin: 'a:b:c\nplain\n' }],
  ['cut -c 2-3', 'bc', { stdin: 'abcd' }],
  ['cut -sf1', 'a\n', { stdin: 'a\tb\nx\n' }],
  ['tr ezs rmf', 'rm -rf ~', { stdin: 'ez -es ~' }],
  ["tr 'a-c' 'A-C'", 'ABCd', { stdin: 'abcd' }],
  ["tr '[:lower:]' '[:upper:]'", 'AB1', { stdin: 'ab1' }],
  ["tr -d '\\n'", 'ab', { stdin: 'a\nb\n' }],
  ['tr -cd a-z', 'ab', { stdin: 'a1b2' }],
  ["tr -s ' '", 'a b', { stdin: 'a   b' }],
  ["tr '\\141' z", 'zb', { stdin: 'ab' }],
  ['tr abc x', 'xxx', { stdin: 'abc' }],
  ['base64', 'aGk=\n', { stdin: 'hi' }],
  ['base64 -w0', 'aGk=', { stdin: 'hi' }],
  ['base64 -d', 'rm -rf ~', { stdin: 'cm0gLXJmIH4=\n' }],
  ['base64 -d', '? !decoded', { stdin: '/////w==' }],
  ['base64 --decode', '? !network !decoded', { stdin: REMOTE }],
  ['base32 -d', 'hi', { stdin: 'NBUQ====' }],
  ['basenc --base16 -d', 'hi', { stdin: '6869' }],
  ['xxd -r -p', 'rm', { stdin: '726d\n' }],
  ['xxd -r', 'rm', { stdin: '00000000: 726d  rm\n' }],
  ['gunzip', '? !decoded', { stdin: 'x' }],
  ['openssl enc -d -aes-128-cbc', '? !decoded', { stdin: 'x' }],
  ['openssl base64 -d', 'hi', { stdin: 'aGk=' }],
  ['gpg -d', '? !decoded !secret', { stdin: 'x' }],
  ["sed 's/^/rm -rf /'", 'rm -rf /x\n', { stdin: '/x\n' }],
  ["sed 's/a/b/g;s#.*c#d#'", 'bb\nd', { stdin: 'aa\nac' }],
  ["sed -E 's/[0-9]$/Z/'", 'a1Z', { stdin: 'a12' }],
  ["sed 's/\\(a\\)/\\1/'", 'a', { stdin: 'a' }],
  ["sed -n 's/a/b/'", 'passes on', { stdin: 'a' }],
  ["sed '1d;s/a/b/'", '', { stdin: 'a' }],
  ["sed 's/a/&b/'", 'ab', { stdin: 'a' }],
  ["sed '2d;s/a/b/'", 'b\nc\n', { stdin: 'a\nx\nc\n' }],
  ["sed '$a end'", 'a\nend\n', { stdin: 'a\n' }],
  ["sed -E 's/([a-z]+)=(.*)/\\2 \\1/'", 'x k\n', { stdin: 'k=x\n' }],
  ["sed 's/a\\/b/x/'", 'x\n', { stdin: 'a/b\n' }],
  ["sed -E 's/(a|b)+/x/'", 'passes on', { stdin: 'a' }],
  // What gov takes a text for must be what sed makes of it.
  ["sed 's/^.*$/x/'", 'x\n', { stdin: 'a\r\n' }],
  ["sed '2,1s/.*/x/'", 'a\nx\nc\n', { stdin: 'a\nb\nc\n' }],
  ["sed '$,1s/.*/x/'", 'a\nx\n', { stdin: 'a\nb\n' }],
  ["sed '1,2c x'", 'passes on', { stdin: 'a\nb\n' }],
  ["sed '1d;1,2s/b/x/'", 'passes on', { stdin: 'a\nb\nb\n' }],
  ["sed 's/\\`/x/'", 'passes on', { stdin: 'a\n' }],
  ['sed "s/\\\\\'/x/"', 'passes on', { stdin: 'a\n' }],
  ["sed 's/^..$/x/'", 'passes on', { stdin: '\u00e9\n' }],
  ["sed 's/\u00e9*$/x/'", 'passes on', { stdin: 'a\n' }],
  ["sed 's/\u00e9/e/'", 'e\n', { stdin: '\u00e9\n' }],
  ["sed -E 's+a\\+b+x+'", 'passes on', { stdin: 'aab\n' }],
  ["sed 's/[z-a]/x/'", 'passes on', { stdin: 'a\n' }],
  // A text that grows without end.
  [`sed '${'s/a/aa/g;'.repeat(60)}'`, 'passes on', { stdin: 'a\n' }],
  ['jq \'.a.b = "x"\'', '{\n  "a": {\n    "b": "x"\n  }\n}\n', { stdin: '{}' }],
  ["jq -c 'del(.a)'", '{"b":1}\n', { stdin: '{"a":0,"b":1}' }],
  ["jq '.a += 1'", 'passes on', { stdin: '{"a":0}' }],
  ['tee f', 'hi', { stdin: 'hi' }],
  ['dd of=f', '', { stdin: 'hi' }],
  ['ls', '*\n'],
  ['ls -d a /home/dev/*', 'a\n/home/dev/*\n'],
  ['ls src', '${name in src}\n', { files: { 'src/a': '' } }],
  ['ls -l', '?'],
  ['find build -name \\*.o', 'build/*.o\n'],
  ['find . -newer x', './${found by find}\n'],
  ['grep -rl x src', 'src/${file that matches}\n'],
  ['printenv HOME', '/home/dev\n'],
  ['printenv GITHUB_TOKEN', '? !secret'],
  ['env', '? !secret'],
  ['jq -n env', '? !secret'],
  ['pgrep -f gov', '${process ids of gov}\n'],
  ['openssl s_client -connect h:443', '? !network'],
];

describe('what programs print', () => {
  for (const [line, want, around] of ROWS) {
    it(around ? `${line}  # ${JSON.stringify(around)}` : line, () => {
      expect(shown(runLine(programs, line, around).stdout)).toBe(want);
    });
  }
});

describe('comparisons', () => {
  const verdicts: readonly (readonly [string, boolean | undefined])[] = [
    ['test a = a', true],
    ['test a = b', false],
    ["test -n ''", false],
    ["test -z ''", true],
    ['[ 3 -gt 2 ]', true],
    ['[ ! 3 -gt 2 ]', false],
    ['test', false],
    ['test x', true],
    ['test -f x', undefined],
    ['test "$X" = a', undefined],
    ['true', true],
    ['false', false],
  ];
  it.each(verdicts)('%s', (line, want) => {
    expect(runLine(programs, line).succeeds).toBe(want);
  });
});

describe('copied content', () => {
  it('cp and mv carry a known text along', () => {
    const around = { files: { a: 'rm -rf x' } };
    for (const line of ['cp a b', 'mv a b', 'install a b']) {
      expect(runLine(programs, line, around).files?.find((file) => file.op === 'write')?.content).toEqual(
        known('rm -rf x'),
      );
    }
  });
  it('tee writes what it reads, behind what is there if it appends', () => {
    expect(runLine(programs, 'tee f', { stdin: 'x' }).files?.[0]?.content).toEqual(known('x'));
    const appended = (files: Record<string, string>) => runLine(programs, 'tee -a f', { stdin: 'x', files }).files?.[0];
    expect(appended({ f: 'a\n' })?.content).toEqual(known('a\nx'));
    expect(appended({})?.content?.at(-1)).toEqual('\nx');
  });
});

describe('modes', () => {
  const modes: readonly (readonly [string, string])[] = [
    ['chmod +x f', '+x'],
    ['chmod -x f', '-x'],
    ['chmod -R 755 d', '755'],
    ['chmod u+s,g-w f', 'u+s,g-w'],
    ['chown -R root:root d', 'chown root:root'],
    ['install -m 4755 a b', '4755'],
    ['chattr -i f', 'chattr -i'],
  ];
  it.each(modes)('%s', (line, mode) => {
    const changed = runLine(programs, line).files?.filter((file) => file.op === 'chmod');
    expect(changed?.map((file) => file.mode)).toEqual([mode]);
  });
});

describe('symbolic links', () => {
  const follows: readonly (readonly [string, boolean | undefined])[] = [
    ['rm -rf link', false],
    ['rm -rf link/', true],
    ['mv link x', false],
    ['unlink link', false],
    ['ln -sfn to link', false],
    ['touch -h link', false],
    ['touch link', undefined],
    ['chown -h u link', false],
  ];
  it.each(follows)('%s', (line, follow) => {
    const file = runLine(programs, line).files?.find((draft) => render(draft.path).startsWith('link'));
    expect(file?.follow).toBe(follow);
  });
});
