import { asPathThing, flat, isPath, onPaths, onReceiver, type Row, transfer } from './model.ts';
import { connect, readFile } from './notes.ts';
import { home } from './places.ts';
import { prints, variable } from './prints.ts';
import { evaluates } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import { literal, path, type Thing, text, UNKNOWN } from './thing.ts';

export const groovy: readonly Row[] = [
  [
    'File java.io.File',
    (c) =>
      asPathThing(
        c.args.length > 1
          ? text(c.args.flatMap((a, at) => [...(at > 0 ? ['/'] : []), ...(a.k === 'text' ? a.value : [])]))
          : (c.args[0] ?? UNKNOWN),
      ),
  ],
  ['Files.delete Files.deleteIfExists', onPaths('delete', { follow: false }, 1)],
  ['Files.write Files.writeString', onPaths('write', {}, 1)],
  ['Files.move', transfer('move')],
  ['Files.copy', transfer('copy')],
  ['Paths.get Path.of', (c) => asPathThing(c.args[0] ?? UNKNOWN)],
  ['System.getenv', (c, scan) => (c.args[0] ? variable(scan, c.args[0]) : { k: 'env' })],
  ['System.getProperty', (c, scan) => (literal(c.args[0]) === 'user.home' ? path([home(scan)]) : UNKNOWN)],
  ['Eval.me evaluate', evaluates],
  ['URL', (c) => c.args[0] ?? UNKNOWN],
  ['ProcessBuilder', (c, scan) => runProgram(scan, flat(c.args))],
  ['println print System.out.println', prints],
];

export const groovyMethods: readonly Row[] = [
  [
    'execute',
    (c, scan) => {
      if (c.recv?.k === 'list') return runProgram(scan, c.recv.items);
      return c.recv?.k === 'text' && !c.recv.path ? runShell(scan, c.recv) : undefined;
    },
  ],
  [
    'exec',
    (c, scan) =>
      c.args[0]?.k === 'list'
        ? runProgram(scan, c.args[0].items)
        : c.args[0]?.k === 'text'
          ? runShell(scan, c.args[0])
          : undefined,
  ],
  ['delete deleteOnExit', onReceiver('delete', { follow: false })],
  ['deleteDir', onReceiver('delete', { recursive: true, follow: false })],
  ['write append setText createNewFile withWriter', onReceiver('write')],
  ['mkdir mkdirs', onReceiver('create')],
  [
    '.text',
    (c, scan) =>
      isPath(c.recv)
        ? readFile(scan, c.recv as Thing)
        : /^https?:/.test(literal(c.recv ?? undefined) ?? '')
          ? connect(scan, c.recv ?? undefined, [])
          : undefined,
  ],
];
