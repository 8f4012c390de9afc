import { connectMethod, urlMethod } from './library-http.ts';
import {
  addTo,
  asPathThing,
  isPath,
  joinPaths,
  onReceiver,
  parentOf,
  type Row,
  sameReceiver,
  sqlQuery,
  transfer,
} from './model.ts';
import { effect, fill, listenAt, readFile, touch } from './notes.ts';
import { entriesOf, expandHome } from './places.ts';
import { print } from './prints.ts';
import { open } from './python-files.ts';
import type { Call, Model } from './scan.ts';
import { comesFromFile, literal, path, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

function opened(c: Call): (Thing & { k: 'file' }) | null {
  return c.recv?.k === 'file' ? c.recv : null;
}

const write: Model = (c, scan) => {
  const file = opened(c);
  if (c.recv?.k === 'ref' && /std(?:out|err)/.test(c.recv.name)) {
    print(scan, c.args, '');
    return UNKNOWN;
  }
  if (!file) return undefined;
  fill(scan, file.path, c.args[0]);
  return UNKNOWN;
};

const read: Model = (c, scan) => {
  if (c.recv?.k === 'file')
    return {
      k: 'unknown',
      taints: c.recv.taints,
      fromFile: true,
      ...(c.name === 'read' ? { source: c.recv.path } : {}),
    };
  if (c.recv?.k === 'ref' && c.recv.name.includes('stdin')) return unknown(scan.context.stdin.taints);
  return undefined;
};

const join: Model = (c) => {
  const items = c.args[0];
  if (c.recv?.k !== 'text' || items?.k !== 'list') return undefined;
  const between = literal(c.recv);
  if (between === null || !items.items.every((i) => i.k === 'text'))
    return unknown(taintsIn(items), comesFromFile(items));
  return text(
    items.items.flatMap((i, at) => [
      ...(at > 0 && between !== '' ? [between] : []),
      ...(i.k === 'text' ? i.value : []),
    ]),
  );
};

export const methods: readonly Row[] = [
  [
    'write_text write_bytes',
    (c, scan) => {
      const made = onReceiver('write')(c, scan);
      if (made && c.recv?.k === 'text') fill(scan, c.recv.value, c.args[0]);
      return made;
    },
  ],
  ['touch', onReceiver('write')],
  ['mkdir', onReceiver('create')],
  ['bind', (c, scan) => listenAt(scan, c.args[0])],
  ['unlink rmdir', onReceiver('delete', { follow: false })],
  [
    'rename replace',
    (c, scan) =>
      isPath(c.recv) && c.args.length === 1
        ? transfer('move')({ ...c, args: [c.recv as Thing, c.args[0] as Thing] }, scan)
        : textReplace(c),
  ],
  [
    'symlink_to',
    (c, scan) =>
      isPath(c.recv) ? transfer('link')({ ...c, args: [c.args[0] ?? UNKNOWN, c.recv as Thing] }, scan) : undefined,
  ],
  ['chmod', onReceiver('chmod')],
  ['open', (c, scan) => (isPath(c.recv) ? open(c, scan) : undefined)],
  ['read_text read_bytes', (c, scan) => (isPath(c.recv) ? readFile(scan, c.recv as Thing) : undefined)],
  ['iterdir', (c) => (isPath(c.recv) ? entriesOf(c.recv as Thing) : undefined)],
  ['glob rglob', (c) => (isPath(c.recv) ? entriesOf(c.recv as Thing) : undefined)],
  ['joinpath', (c) => (isPath(c.recv) ? joinPaths([c.recv as Thing, ...c.args], true) : undefined)],
  ['expanduser', (c, scan) => (isPath(c.recv) ? expandHome(scan, c.recv as Thing) : undefined)],
  ['resolve absolute as_posix strip rstrip lstrip encode decode', sameReceiver],
  [
    'with_suffix with_name with_stem',
    (c) =>
      isPath(c.recv)
        ? joinPaths([parentOf(c.recv as Thing), text([{ hole: 'computed name', like: 'name' }])], true)
        : undefined,
  ],
  ['.parent', (c) => (isPath(c.recv) ? parentOf(c.recv as Thing) : undefined)],
  [
    '.name .stem',
    (c) =>
      isPath(c.recv)
        ? text([{ hole: 'name of a path', like: 'name' }])
        : c.recv?.k === 'file'
          ? path(c.recv.path)
          : undefined,
  ],
  [
    'extractall extract',
    (c, scan) => {
      if (c.recv?.k !== 'file') return undefined;
      touch(scan, 'write', c.args[0] ?? c.named.get('path') ?? text('.'), { recursive: true });
      return UNKNOWN;
    },
  ],
  ['execute executescript executemany raw', sqlQuery],
  ['all filter exclude order_by', (c) => (isManager(c.recv) ? c.recv : undefined)],
  ['join', join],
  [
    'split rsplit splitlines',
    (c) => {
      const source = literal(c.recv ?? undefined);
      const by = c.args[0] ? literal(c.args[0]) : null;
      if (source === null || source.length > 10_000 || (c.args[0] && (by === null || by === ''))) return undefined;
      const taints = taintsIn(c.recv ?? undefined);
      const pieces =
        by === null ? source.split(c.name === 'splitlines' ? /\r?\n/ : /\s+/).filter(Boolean) : source.split(by);
      return { k: 'list', items: pieces.slice(0, 2000).map((piece) => text(piece, taints)) };
    },
  ],
  ['append extend', addTo],
  [
    'to_csv to_json to_parquet to_excel to_pickle to_html savefig',
    (c, scan) => {
      if (c.args[0]?.k === 'text') touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['write writelines', write],
  ['read readline readlines', read],
  ['connect', connectMethod],
  ['get post put patch head', urlMethod],
  [
    'delete',
    (c, scan) => {
      if (!isManager(c.recv)) return urlMethod(c, scan);
      effect(scan, 'db-delete', 'deletes rows through the model', {
        target: c.recv.name.replace(/\.objects.*$/, '').replace(/^.*\./, ''),
      });
      return UNKNOWN;
    },
  ],
  ['sendall send', (c) => (c.recv?.k === 'unknown' && c.recv.taints.includes('network') ? UNKNOWN : undefined)],
  ['sort', () => UNKNOWN],
];

/** Django's `Model.objects` and queries made from it. */
function isManager(thing: Thing | null): thing is Thing & { k: 'ref' } {
  return thing?.k === 'ref' && /\.objects(?:\.|$)/.test(thing.name);
}

/** `text.replace(a, b)` on known text. */
function textReplace(c: Call): Thing | undefined {
  const source = literal(c.recv ?? undefined);
  const from = literal(c.args[0]);
  const to = literal(c.args[1]);
  if (source === null || from === null || to === null || from === '') return undefined;
  const made = text(source.slice(0, 10_000).split(from).join(to), taintsIn(c.recv ?? undefined));
  return isPath(c.recv) ? asPathThing(made) : made;
}
