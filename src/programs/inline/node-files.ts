import { flat, isOn, joinPaths, parentOf, type Row, transfer } from './model.ts';
import { fill, readFile, touch } from './notes.ts';
import { entriesOf, globbed } from './places.ts';
import { standardInput } from './prints.ts';
import type { Model } from './scan.ts';
import { comesFromFile, literal, path, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

const readText: Model = (c, scan) => {
  const target = c.args[0];
  // `readFileSync(0)` and /dev/stdin are standard input.
  if (/^(?:0|\/dev\/stdin)$/.test(literal(target) ?? '')) return standardInput(scan);
  return readFile(scan, target);
};

/** `writeFileSync(path, text)`. */
const writesText: Model = (c, scan) => {
  touch(scan, 'write', c.args[0]);
  if (c.args[0]?.k === 'text' && !c.name.includes('append') && c.args.length > 1)
    fill(scan, c.args[0].value, c.args[1]);
  return UNKNOWN;
};

const remove: Model = (c, scan) => {
  touch(scan, 'delete', c.args[0], {
    follow: false,
    ...(isOn(c, 'recursive') || /emptyDir|remove(?:Sync)?$|rimraf|^del/.test(c.name) ? { recursive: true } : {}),
    ...(isOn(c, 'force') ? { force: true } : {}),
    ...(c.name.includes('emptyDir') ? { contentsOnly: true } : {}),
  });
  return UNKNOWN;
};

function both(prefix: string, names: string): string {
  return names
    .split(' ')
    .flatMap((n) => [`${prefix}.${n}`, `${prefix}.${n}Sync`])
    .join(' ');
}

export const fileRows: readonly Row[] = [
  [`${both('fs', 'readFile readlink')} fs.readJson fs.readJsonSync fs.createReadStream`, readText],
  [
    `${both('fs', 'writeFile appendFile truncate outputFile writeJson outputJson utimes')} fs.createWriteStream`,
    writesText,
  ],
  [both('fs', 'unlink rm rmdir remove emptyDir'), remove],
  [
    'rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync del deleteAsync deleteSync del.sync del.deleteAsync del.deleteSync trash',
    (c, scan) =>
      remove(
        { ...c, name: 'rimraf', args: c.args[0]?.k === 'list' ? [{ k: 'any', of: c.args[0].items }] : c.args },
        scan,
      ),
  ],
  [
    both('fs', 'mkdir mkdirp ensureDir ensureFile mkdtemp'),
    (c, scan) => {
      touch(scan, 'create', c.args[0]);
      return c.name.includes('mkdtemp') && c.args[0]?.k === 'text'
        ? path([...c.args[0].value, { hole: 'temporary name', like: 'name' }])
        : UNKNOWN;
    },
  ],
  [both('fs', 'rename move'), transfer('move')],
  [both('fs', 'copyFile'), transfer('copy')],
  [both('fs', 'cp copy'), transfer('copy', { recursive: true })],
  [both('fs', 'symlink'), transfer('link')],
  [both('fs', 'link'), transfer('hard-link')],
  [
    both('fs', 'chmod chown'),
    (c, scan) => {
      touch(scan, 'chmod', c.args[0], { mode: literal(c.args[1]) ?? '' });
      return UNKNOWN;
    },
  ],
  [
    both('fs', 'open'),
    (c, scan) => {
      const writes = /[wa+]/.test(literal(c.args[1]) ?? 'r');
      touch(scan, writes ? 'write' : 'read', c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    both('fs', 'readdir opendir'),
    (c) => {
      const entries = entriesOf(c.args[0]);
      // The names come without their directory; joined to it by the program they lie below it.
      return entries.k === 'list'
        ? { k: 'list', items: entries.items.map(() => text([{ hole: 'name in a directory', like: 'name' }])) }
        : entries;
    },
  ],
  [
    'fs.glob fs.globSync glob glob.sync glob.globSync fast-glob fast-glob.sync globby globby.sync',
    (c) => globbed(c.args[0]),
  ],
  ['Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync Bun.file', readText],
  ['Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write', writesText],
  ['Deno.remove Deno.removeSync', remove],
  [
    'shelljs.rm',
    (c, scan) => {
      touch(scan, 'delete', flat(c.args).slice(-1)[0], { recursive: true, follow: false });
      return UNKNOWN;
    },
  ],
  ['path.join', (c) => joinPaths(c.args, false)],
  ['path.resolve', (c, scan) => joinPaths([path(scan.context.cwd), ...c.args], true)],
  ['path.dirname', (c) => parentOf(c.args[0])],
  ['path.basename', () => text([{ hole: 'name of a path', like: 'name' }])],
  [
    'path.normalize String URL url.fileURLToPath fileURLToPath fs.realpathSync fs.realpath',
    (c) =>
      c.args.length === 1 && c.args[0]?.k === 'text'
        ? c.args[0]
        : unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile)),
  ],
];
