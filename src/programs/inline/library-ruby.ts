import { httpMethods, urlMethod } from './library-http.ts';
import {
  asPathThing,
  decoder,
  flat,
  fromBase64,
  isOn,
  isPath,
  joinPaths,
  onPaths,
  onReceiver,
  parentOf,
  type Row,
  sameReceiver,
  sqlQuery,
  table,
  tainted,
  tellingNames,
  textOrList,
  transfer,
} from './model.ts';
import { changeDirectory, connect, effect, fill, readFile, touch } from './notes.ts';
import { expandHome, globbed, home, namesIn } from './places.ts';
import { print, variable } from './prints.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Library, Model, Scan } from './scan.ts';
import { comesFromFile, literal, path, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

/** `open("|cmd")` runs a command; `open(path, mode)` opens a file (Kernel#open). */
const open: Model = (c, scan) => {
  const first = c.args[0];
  const lead = first?.k === 'text' ? first.value[0] : undefined;
  if (c.name === 'open' && first?.k === 'text' && typeof lead === 'string') {
    if (lead.startsWith('|')) return runShell(scan, text([lead.slice(1), ...first.value.slice(1)]));
    if (/^https?:/.test(lead)) return connect(scan, first, []);
  }
  const mode = literal(c.args[1] ?? c.named.get('mode')) ?? 'r';
  const writes = /[wa+]/.test(mode);
  if (writes) touch(scan, 'write', first);
  const taints = writes ? [] : taintsIn(readFile(scan, first));
  return {
    k: 'file',
    path: first?.k === 'text' ? first.value : [{ hole: 'path computed by the program', like: 'any' }],
    writes,
    taints,
  };
};

const eachPath =
  (op: 'delete' | 'create' | 'write', more: object = {}): Model =>
  (c, scan) =>
    onPaths(op, more)({ ...c, args: c.args.filter((a) => a.k !== 'map') }, scan);

const popen: Model = (c, scan) => {
  const args = c.args.filter((a) => a.k !== 'map');
  if (args[0]?.k === 'list') return runProgram(scan, args[0].items);
  return c.name.startsWith('Open3') && args.length > 1 ? runProgram(scan, args) : runShell(scan, args[0]);
};

const rows: readonly Row[] = [
  ['system exec spawn sh Kernel.system Kernel.exec Kernel.spawn Process.spawn', textOrList],
  ['IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 Open3.pipeline', popen],
  ['open File.open File.new Kernel.open', open],
  ['URI.open OpenURI.open_uri', (c, scan) => connect(scan, c.args[0], [])],
  [
    'eval instance_eval class_eval Kernel.eval',
    (c, scan) => {
      if (c.args[0]) walkCode(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    'load',
    (c, scan) => {
      if (c.args[0]?.k === 'text') touch(scan, 'exec', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink', eachPath('delete', { follow: false })],
  ['FileUtils.rm FileUtils.rm_f FileUtils.rmdir FileUtils.safe_unlink', eachPath('delete', { follow: false })],
  [
    'FileUtils.rm_r FileUtils.rm_rf FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rmtree',
    (c, scan) =>
      eachPath('delete', {
        recursive: true,
        follow: false,
        ...(isOn(c, 'force') || c.name.endsWith('rm_rf') ? { force: true } : {}),
      })(c, scan),
  ],
  ['FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs Dir.mkdir', eachPath('create')],
  ['FileUtils.touch File.truncate', eachPath('write')],
  [
    'File.write IO.write File.binwrite',
    (c, scan) => {
      touch(scan, 'write', c.args[0]);
      if (c.args[0]?.k === 'text') fill(scan, c.args[0].value, c.args[1]);
      return UNKNOWN;
    },
  ],
  [
    'File.read IO.read File.readlines File.binread File.foreach IO.readlines YAML.load_file JSON.load_file',
    (c, scan) => {
      const first = c.args[0];
      const lead = first?.k === 'text' ? first.value[0] : undefined;
      if (c.name.startsWith('IO') && first?.k === 'text' && typeof lead === 'string' && lead.startsWith('|'))
        return runShell(scan, text([lead.slice(1), ...first.value.slice(1)]));
      return readFile(scan, first);
    },
  ],
  ['File.rename FileUtils.mv FileUtils.move', transfer('move')],
  ['FileUtils.cp FileUtils.copy FileUtils.copy_file', transfer('copy')],
  ['FileUtils.cp_r FileUtils.copy_entry', transfer('copy', { recursive: true })],
  ['File.symlink FileUtils.ln_s FileUtils.ln_sf', transfer('link')],
  ['File.link FileUtils.ln', transfer('hard-link')],
  [
    'File.chmod FileUtils.chmod FileUtils.chmod_R FileUtils.chown FileUtils.chown_R',
    (c, scan) => {
      for (const arg of flat(c.args).slice(c.name.includes('chown') ? 2 : 1))
        touch(scan, 'chmod', arg, {
          mode: literal(c.args[0]) ?? '',
          ...(c.name.endsWith('_R') ? { recursive: true } : {}),
        });
      return UNKNOWN;
    },
  ],
  ['File.join', (c) => joinPaths(c.args, false)],
  [
    'File.expand_path',
    (c, scan) =>
      c.args[1] ? joinPaths([expandHome(scan, c.args[1]), c.args[0] ?? UNKNOWN], true) : expandHome(scan, c.args[0]),
  ],
  ['File.dirname', (c) => parentOf(c.args[0])],
  ['Pathname Pathname.new', (c) => asPathThing(c.args[0] ?? text('.'))],
  ['Dir.glob Dir.[]', (c) => globbed(c.args[0])],
  [
    'Dir.chdir FileUtils.cd',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['Dir.children Dir.entries Dir.each_child', namesIn],
  ['Dir.mktmpdir', () => path(['/tmp/', { hole: 'temporary name', like: 'name' }])],
  ['#env.fetch', (c, scan) => variable(scan, c.args[0])],
  [
    'puts print p pp warn $stdout.puts STDOUT.puts',
    (c, scan) => {
      print(scan, c.args, c.name === 'print' ? '' : '\n');
      return UNKNOWN;
    },
  ],
  ['Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64', decoder(fromBase64)],
  ['Zlib.inflate Zlib.Inflate.inflate Marshal.load', tainted('decoded')],
  [
    'Process.kill',
    (_, scan) => {
      scan.effects.push({ kind: 'process-kill', certain: false });
      return UNKNOWN;
    },
  ],
  [
    'TCPSocket.new TCPSocket.open',
    (c, scan) => {
      const port = Number(literal(c.args[1]) ?? Number.NaN);
      return connect(scan, c.args[0], [unknown([], true)], {
        scheme: 'tcp',
        ...(Number.isInteger(port) ? { port } : {}),
      });
    },
  ],
  ['URI URI.parse', (c) => c.args[0] ?? UNKNOWN],
  ['Net.HTTP.get_response Net.HTTP.start Net.HTTP.new', (c, scan) => connect(scan, c.args[0], [])],
  ['Net.HTTP.post_form', (c, scan) => connect(scan, c.args[0], [c.args[1], text('body')], { method: 'POST' })],
  [
    'JSON.parse JSON.generate YAML.load YAML.safe_load YAML.dump',
    (c) => (c.args[0]?.k === 'env' ? c.args[0] : unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile))),
  ],
  ['gets STDIN.read $stdin.read ARGF.read', (_, scan) => unknown(scan.context.stdin.taints)],
  ...httpMethods(['Net.HTTP', 'HTTParty', 'Faraday', 'RestClient']),
];

const methods: readonly Row[] = [
  ['delete unlink rmdir', onReceiver('delete', { follow: false })],
  ['rmtree', onReceiver('delete', { recursive: true, follow: false })],
  ['write binwrite', (c, scan) => (isPath(c.recv) ? (onReceiver('write')(c, scan) ?? UNKNOWN) : undefined)],
  ['mkpath mkdir', onReceiver('create')],
  [
    'read readlines',
    (c, scan) =>
      isPath(c.recv)
        ? readFile(scan, c.recv as Thing)
        : c.recv?.k === 'file'
          ? unknown(c.recv.taints, true)
          : undefined,
  ],
  ['join +', (c) => (isPath(c.recv) ? joinPaths([c.recv as Thing, ...c.args], true) : undefined)],
  ['to_s strip chomp to_path', sameReceiver],
  ['get post put patch', urlMethod],
  [
    'truncate drop_current drop_all purge_current truncate_all',
    (c, scan) => {
      if (c.recv?.k === 'ref' || c.recv?.k === 'unknown') effect(scan, 'db-drop', 'empties the database', {});
      return UNKNOWN;
    },
  ],
  ['execute exec_query', sqlQuery],
  [
    'delete_all destroy_all',
    (c, scan) => {
      if (c.recv?.k === 'ref' || c.recv?.k === 'unknown')
        effect(scan, 'db-delete', 'deletes rows through the model', { target: c.recv.k === 'ref' ? c.recv.name : '' });
      return UNKNOWN;
    },
  ],
  [
    'pack',
    (c) => {
      const format = literal(c.args[0]) ?? '';
      const items = c.recv?.k === 'list' ? c.recv.items : [];
      const source = literal(items[0]);
      if (format.startsWith('H') && source !== null)
        return text(Buffer.from(source, 'hex').toString('utf8'), ['decoded']);
      return unknown(['decoded']);
    },
  ],
  [
    'unpack unpack1',
    (c) => {
      const format = literal(c.args[0]) ?? '';
      const source = literal(c.recv ?? undefined);
      if (format.startsWith('m') && source !== null) return text(fromBase64(source), ['decoded']);
      return unknown(['decoded']);
    },
  ],
];

/** Ruby's core and standard library (ruby-doc.org). */
export const rubyLibrary: Library = {
  calls: table(rows),
  methods: table(methods),
  names: new Map<string, (scan: Scan) => Thing>([
    ['ENV', () => ({ k: 'env' })],
    ['#env.to_h', () => ({ k: 'env' })],
    ['#env.to_a', () => ({ k: 'env' })],
    ['#env.inspect', () => ({ k: 'env' })],
    ['ARGV', (scan) => ({ k: 'list', items: scan.context.args.map((a) => text(a)) })],
    ['Dir.home', (scan) => path([home(scan)])],
    ['Dir.pwd', (scan) => path(scan.context.cwd)],
    ['Dir.tmpdir', () => path(['/tmp'])],
    ['__dir__', () => path([{ hole: 'directory of the script', like: 'any' }])],
  ]),
  telling: tellingNames('FileUtils.rm_rf FileUtils.rm_r'),
};
