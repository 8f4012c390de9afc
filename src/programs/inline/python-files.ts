import { asPathThing, isPath, joinPaths, onPaths, parentOf, type Row, transfer } from './model.ts';
import { changeDirectory, readFile, touch } from './notes.ts';
import { entriesOf, expandHome, globbed, home, namesIn } from './places.ts';
import type { Model } from './scan.ts';
import {
  anyOf,
  comesFromFile,
  elementOf,
  literal,
  path,
  ref,
  type Thing,
  taintsIn,
  text,
  UNKNOWN,
  unknown,
} from './thing.ts';

export const open: Model = (c, scan) => {
  const target = c.recv && isPath(c.recv) ? c.recv : c.args[0];
  const mode =
    literal(c.recv && isPath(c.recv) ? (c.args[0] ?? c.named.get('mode')) : (c.args[1] ?? c.named.get('mode'))) ?? 'r';
  const writes = /[wax+]/.test(mode);
  const given = c.named.get('file') ?? target;
  // A number is an open descriptor (`open(0)`), not a name.
  if (given?.k === 'text' && /^\d+$/.test(literal(given) ?? '') && !given.path)
    return unknown(scan.context.stdin.taints);
  if (writes) touch(scan, /x/.test(mode) ? 'create' : 'write', given);
  const held = writes && !mode.includes('+') ? [] : taintsIn(readFile(scan, given));
  return { k: 'file', path: wordOf(given), writes, taints: held };
};

function wordOf(thing: Thing | undefined): readonly (string | { hole: string; like: 'any' })[] {
  const t = literal(thing);
  return t === null ? [{ hole: 'path computed by the program', like: 'any' }] : [t];
}

export const fileRows: readonly Row[] = [
  ['open io.open codecs.open os.fdopen gzip.open bz2.open lzma.open', open],
  [
    'os.open',
    (c, scan) => {
      touch(scan, 'read', c.args[0]);
      if (c.args.length > 1) touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['os.remove os.unlink os.rmdir', onPaths('delete', { follow: false }, 1)],
  ['os.removedirs', onPaths('delete', {}, 1)],
  ['shutil.rmtree distutils.dir_util.remove_tree', onPaths('delete', { recursive: true, follow: false }, 1)],
  ['os.mkdir os.makedirs os.mkfifo os.mknod', onPaths('create', {}, 1)],
  ['os.truncate', onPaths('write', {}, 1)],
  ['os.utime', onPaths('write', {}, 1)],
  [
    'os.chmod os.chown os.lchown shutil.chown',
    (c, scan) => {
      touch(scan, 'chmod', c.args[0], { mode: literal(c.args[1]) ?? '' });
      return UNKNOWN;
    },
  ],
  ['os.rename os.renames os.replace shutil.move', transfer('move')],
  ['shutil.copy shutil.copy2 shutil.copyfile', transfer('copy')],
  ['shutil.copytree distutils.dir_util.copy_tree', transfer('copy', { recursive: true })],
  ['os.symlink', transfer('link')],
  ['os.link', transfer('hard-link')],
  [
    'os.chdir',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['globals locals', () => ref('#scope')],
  ['os.path.expanduser', (c, scan) => expandHome(scan, c.args[0])],
  [
    'os.path.expandvars',
    (c, scan) => {
      const raw = literal(c.args[0]);
      return raw === null ? (c.args[0] ?? UNKNOWN) : path([raw.replace(/\$\{?HOME\}?/g, home(scan))]);
    },
  ],
  ['os.path.join', (c) => joinPaths(c.args, true)],
  ['os.path.abspath os.path.realpath os.path.normpath os.fspath str os.path.relpath', (c) => keepText(c.args[0])],
  ['os.path.dirname', (c) => parentOf(c.args[0])],
  ['os.getcwd pathlib.Path.cwd Path.cwd', (_, scan) => path(scan.context.cwd)],
  [
    'pathlib.Path pathlib.PurePath pathlib.PosixPath Path',
    (c) => (c.args.length > 1 ? joinPaths(c.args, true) : asPathThing(c.args[0] ?? text('.'))),
  ],
  ['pathlib.Path.home Path.home', (_, scan) => path([home(scan)])],
  ['os.listdir', namesIn],
  ['os.scandir', (c) => entriesOf(c.args[0] ?? text('.'))],
  ['glob.glob glob.iglob', (c) => globbed(c.args[0])],
  [
    'os.walk os.fwalk',
    (c) => {
      const below = elementOf(entriesOf(c.args[0]));
      const base = c.args[0] ?? UNKNOWN;
      const name = text([{ hole: 'name in a directory', like: 'name' }]);
      return {
        k: 'list',
        items: [
          { k: 'list', items: [anyOf([base, below]), { k: 'list', items: [name] }, { k: 'list', items: [name] }] },
        ],
      };
    },
  ],
  [
    'tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory',
    () => path(['/tmp/', { hole: 'temporary name', like: 'name' }]),
  ],
  ['tempfile.gettempdir', () => path(['/tmp'])],
  [
    'tempfile.mkstemp',
    () => ({ k: 'list', items: [UNKNOWN, path(['/tmp/', { hole: 'temporary name', like: 'name' }])] }),
  ],
  [
    'tempfile.NamedTemporaryFile',
    () => ({ k: 'file', path: ['/tmp/', { hole: 'temporary name', like: 'name' }], writes: true, taints: [] }),
  ],
  [
    'sqlite3.connect',
    (c, scan) => {
      const name = literal(c.args[0]) ?? '';
      // A database file is made if it is not there; what happens in it, the statements say.
      if (name !== ':memory:') touch(scan, 'create', c.args[0]);
      return name === ':memory:' || name.startsWith('/tmp/') ? ref('#memory') : UNKNOWN;
    },
  ],
  ['zipfile.ZipFile tarfile.open', (c, scan) => open({ ...c, recv: null }, scan)],
];

function keepText(thing: Thing | undefined): Thing {
  if (thing?.k === 'text' || thing?.k === 'any') return thing;
  return thing?.k === 'env' ? thing : unknown(taintsIn(thing), comesFromFile(thing));
}
