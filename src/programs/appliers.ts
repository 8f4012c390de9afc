import type { Invocation, Nested } from '../model/program.ts';
import { isDynamic, known, type Part, type Stream, taintsOf, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { contains, quotedText, replaceIn, shellText, splitValue, xargsWords } from './split-value.ts';
import { contentOf } from './streams.ts';

/** Commands made of known input; more become one with an unknown operand. */
const MOST_COMMANDS = 64;
const MOST_WORDS = 512;

const FURTHER: Value = [{ hole: 'further argument', like: 'any', taint: 'cut' }];

/** Programs that make commands of what they read: xargs, parallel, entr. */
export const appliers: readonly Program[] = [
  define({
    names: ['xargs', 'gxargs'],
    manual: 'xargs(1), GNU findutils',
    summary: 'runs a program with arguments from standard input',
    options:
      '0 null, a arg-file:, d delimiter:, E:, e eof?, i replace?, I:, J:, L:, l max-lines?, n max-args:, o open-tty, P max-procs:, p interactive, process-slot-var:, r no-run-if-empty, R:, S:, s max-chars:, t verbose, x exit, show-limits',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      const file = args.value('a');
      const input = file ? contentOf(invocation, file) : invocation.stdin;
      const command = args.operands.length > 0 ? args.operands : [known('echo')];
      const nested = commandsOf(args, command, input).map((argv): Nested => ({ kind: 'argv', via: 'xargs', argv }));
      return { files: file ? reads([file]) : [], nested };
    },
  }),
  define({
    names: ['parallel', 'sem', 'rush', 'rust-parallel'],
    manual: 'parallel(1), GNU parallel: `:::` and `::::` give arguments, else standard input does',
    summary: 'runs shell commands made of arguments',
    options:
      '0 null, a arg-file:, j jobs:, k keep-order, n max-args:, N max-replace-args:, I:, X, m xargs, q quote, C colsep:, d delimiter:, P max-procs:, S sshlogin:, sshloginfile:, dry-run, v verbose, t, bar, progress, eta, joblog:, results:, tmpdir:, timeout:, delay:, retries:, halt:, pipe, pipepart, block:, L max-lines:, tag, tagstring:, ungroup u, group, linebuffer lb, line-buffer, wd workdir:, env:, shuf, will-cite, citation, resume, nice:, load:, memfree:, noswap, basefile:, return:, cleanup, transferfile:, trc:, semaphore, id:, fg, bg, wait, line-buffered, no-notice, max-chars s:, plus, link, header:, profile J:, E:, r no-run-if-empty, compress, files, D, recstart:, recend:, rpl:, xapply',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      if (args.has('citation', 'dry-run')) return {};
      const at = args.operands.findIndex((value) => /^:{3,4}\+?$/.test(word(value)));
      const template = at < 0 ? args.operands : args.operands.slice(0, at);
      const { words, files } = argumentsOf(invocation, args, at < 0 ? [] : args.operands.slice(at));
      const elsewhere = args.has('S', 'sshloginfile') ? ({ elsewhere: 'remote' } as const) : {};
      if (template.length === 0) {
        const scripts = words.map((text): Nested => ({ kind: 'script', via: 'parallel', text, ...elsewhere }));
        return { files: reads(files), nested: scripts };
      }
      const plain = shellText(template);
      const marked = ['{/}', '{//}', '{.}', '{/.}', '{1}', '{2}', '{3}'].reduce(
        (text, mark) => replaceIn(text, mark, ['{}']),
        plain,
      );
      const text = contains(marked, '{}') ? marked : shellText([marked, ['{}']]);
      const scripts = words.map(
        (value): Nested => ({
          kind: 'script',
          via: 'parallel',
          text: replaceIn(text, '{}', quotedText([value])),
          ...elsewhere,
        }),
      );
      return { files: reads(files), nested: scripts };
    },
  }),
  define({
    names: ['entr', 'watchexec', 'reflex', 'modd', 'chokidar-exec'],
    manual: 'entr(1): runs a program when files change; -s gives it to a shell',
    summary: 'runs a program when files change',
    options:
      'a, c, d, n, p, r, s, x, z, w watch:, e exts:, f filter:, i ignore:, shell:, g glob:, R inverse-regex:, G inverse-glob:, restart, clear?, signal:, debounce:, stop-signal:, workdir:, no-vcs-ignore, no-project-ignore, postpone, watch-when-idle, on-busy-update:, delay-run:, poll:',
    style: { stopAtOperand: true },
    run: (args, { name }) => {
      if (args.operands.length === 0) return {};
      const [only] = args.operands;
      const shell = name === 'entr' ? args.has('s') : args.operands.length === 1;
      if (shell && only) return { nested: [{ kind: 'script', via: name, text: shellText(args.operands) }] };
      const argv = args.operands.map((value) =>
        textOf(value) === '/_' ? [{ hole: 'changed file', like: 'any' } as const] : value,
      );
      return { nested: [{ kind: 'argv', via: name, argv }] };
    },
  }),
];

/** The commands that xargs makes of its input. */
function commandsOf(args: Parsed, command: readonly Value[], input: Stream): readonly (readonly Value[])[] {
  const mark = args.has('I', 'J')
    ? word(args.value('I', 'J'))
    : args.has('i', 'replace')
      ? word(args.value('i', 'replace')) || '{}'
      : '';
  const unknown: Value = [unknownWord(input)];
  const put = (value: Value): readonly Value[] => command.map((part) => replaceIn(part, mark, value));
  if (input.value === null) return [mark === '' ? [...command, unknown] : put(unknown)];
  const delimiter = args.has('0') ? '\0' : args.has('d') ? escaped(word(args.value('d'))) : null;
  const words =
    delimiter !== null
      ? splitValue(input.value, new RegExp(delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
      : mark !== ''
        ? splitValue(input.value, /\n/)
        : xargsWords(input.value);
  const list = words.map(trimmed);
  if (list.length > MOST_WORDS)
    return mark !== ''
      ? [put(unknown)]
      : [
          [...command, ...list.slice(0, MOST_WORDS), unknown],
          [...command, FURTHER],
        ];
  if (mark !== '')
    return list.length > MOST_COMMANDS ? [...list.slice(0, MOST_COMMANDS).map(put), put(unknown)] : list.map(put);
  if (list.length === 0) return [command];
  const size = Number(word(args.value('n', 'L'))) || list.length;
  const chunks: (readonly Value[])[] = [];
  for (let at = 0; at < list.length && chunks.length < MOST_COMMANDS; at += size)
    chunks.push([...command, ...list.slice(at, at + size)]);
  // The words of all further commands are looked at in one, and each of them may come first.
  if (chunks.length * size < list.length)
    chunks.push([...command, ...list.slice(chunks.length * size)], [...command, FURTHER]);
  return chunks;
}

/** An `any` hole that ends in a newline which was cut off stays as it is; a lone newline at the end goes. */
function trimmed(value: Value): Value {
  const end = value.at(-1);
  return typeof end === 'string' && end.endsWith('\n') ? [...value.slice(0, -1), end.slice(0, -1)] : value;
}

function unknownWord(input: Stream): Part {
  const taint = input.taints[0] ?? taintsOf(input.value ?? [])[0];
  return { hole: 'standard input', like: 'any', ...(taint ? { taint } : {}) };
}

function escaped(delimiter: string): string {
  return delimiter.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\0/g, '\0');
}

/** The arguments of parallel and the files they are read from. */
function argumentsOf(
  invocation: Invocation,
  args: Parsed,
  sources: readonly Value[],
): { words: readonly Value[]; files: readonly Value[] } {
  const words: Value[] = [];
  const files: Value[] = [...args.values('a')];
  let fromFiles = false;
  for (const value of sources) {
    const text = textOf(value);
    if (text !== null && /^:{3,4}\+?$/.test(text)) fromFiles = text.startsWith('::::');
    else (fromFiles ? files : words).push(value);
  }
  const streams = files.map((file) => contentOf(invocation, file));
  if (sources.length === 0 && files.length === 0) streams.push(invocation.stdin);
  for (const stream of streams) {
    if (stream.value === null || isDynamic(stream.value)) words.push([unknownWord(stream)]);
    else words.push(...splitValue(stream.value, args.has('0') ? /\0/ : /\n/));
  }
  if (words.length > MOST_COMMANDS) return { words: [...words.slice(0, MOST_COMMANDS), FURTHER], files };
  return { words, files };
}
