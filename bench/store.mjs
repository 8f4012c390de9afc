// How the store grows: appends to a big store against an empty one, and what people wait for. Prints a table for
// docs/performance.md. Each time stands beside a base of the same run, so that a busy machine shows in both.
//   node bench/make-store.mjs /tmp/gov-1m --records 1000000 --sessions 2000 --until "$(date -u +%FT%TZ)"
//   node bench/store.mjs /tmp/gov-1m [--rounds 5]
// Appends some hundred records to the store. Bases: an empty Node process, and a process that reads the same bodies and hashes each once.
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { actDraft } from '../dist/audit/write/act.js';
import { findNativeBinding } from '../dist/audit/write/binding.js';
import { openWriter } from '../dist/audit/write/writer.js';
import { govPaths } from '../dist/base/gov-paths.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, 'read-and-hash': { type: 'boolean', default: false } },
});
const home = positionals[0];
const paths = govPaths({ GOV_HOME: home, HOME: home });
if (home === undefined || !existsSync(paths.database))
  throw new Error('name a GOV_HOME that bench/make-store.mjs filled');
if (options['read-and-hash']) {
  readAndHash();
  process.exit(0);
}
const rounds = Number(options.rounds);
const gov = join(import.meta.dirname, '..', 'bin', 'run.js');
// Commands must not see this account's own settings or logs.
const scratch = mkdtempSync(join(home, 'bench-'));
const env = { PATH: process.env.PATH, HOME: scratch, GOV_HOME: home, NO_COLOR: '1', TERM: 'xterm-256color' };
// What a process costs, told by itself when it ends.
const METER = join(scratch, 'meter.mjs');
writeFileSync(
  METER,
  `import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, mb: process.resourceUsage().maxRSS / 1e3 }));
});`,
);

const database = new Database(paths.database, { readonly: true });
const records = database.prepare('SELECT max(seq) - min(seq) + 1 FROM records').pluck().get();
database.close();

const append = appends();
const empty = best('node -e 0', ['-e', '0']);
const rows = [
  ['`gov audit list`, first page', best('list', [gov, 'audit', 'list']), '< 0.3 s'],
  ['`gov audit report --since 30d`', best('report', [gov, 'audit', 'report', '--since', '30d']), '< 2 s'],
  ['`gov audit report`, all of it', best('report', [gov, 'audit', 'report']), ''],
  ['`gov replay`, up to the first screen', best('replay', terminalReplay), '< 0.5 s'],
  ['`gov replay latest`, up to the first screen', best('replay', (r) => terminalReplay(r, 'latest')), '< 0.5 s'],
  ['`gov replay --web`, up to its list of sessions', best('web', webReplay), '< 0.5 s'],
];
const reading = best('read', [import.meta.filename, home, '--read-and-hash'], 2);
const verify = best('verify', [gov, 'audit', 'verify'], 2);
rmSync(scratch, { recursive: true, force: true });

console.log(`${records} records; the best of ${rounds} (reading and verifying: of 2)\n`);
console.log(
  '| what | seconds | CPU seconds | of an empty Node process | peak memory | goal |\n|---|---|---|---|---|---|',
);
for (const [name, run, goal] of [['`node -e 0`', empty, ''], ...rows]) {
  const ratio = run === empty ? '' : `${(run.cpu / empty.cpu).toFixed(1)} ×`;
  console.log(`| ${name} | ${s(run.wall)} | ${s(run.cpu)} | ${ratio} | ${Math.round(run.mb)} MB | ${goal} |`);
}
const rate = (run, of) => `${Math.round(records / run[of] / 1000)},000`;
console.log(
  `| reading and hashing each body once | ${s(reading.wall)} | ${s(reading.cpu)} | | ${Math.round(reading.mb)} MB | |`,
);
console.log(`| \`gov audit verify\` | ${s(verify.wall)} | ${s(verify.cpu)} | | ${Math.round(verify.mb)} MB | |`);
console.log(
  `\nverify: ${rate(verify, 'wall')} records a second (${rate(verify, 'cpu')} a CPU second; goal 50,000), ` +
    `${(verify.cpu / reading.cpu).toFixed(2)} × the CPU of reading and hashing alone`,
);
console.log(
  `append: ${append.big.toFixed(2)} ms at ${records} records, ${append.small.toFixed(2)} ms in an empty store, ` +
    `${(append.big / append.small).toFixed(2)} × (goal 1.2); CPU ${(append.bigCpu / append.smallCpu).toFixed(2)} ×`,
);

/** The least wall and CPU time of some runs, and the most memory. A run is arguments for node, or a function. */
function best(name, run, times = rounds) {
  let found = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY, mb: 0 };
  for (let i = 0; i <= times; i++) {
    process.stderr.write(`\r\u001b[K${name} ${i}`);
    const one = typeof run === 'function' ? run(i) : whole(run);
    if (i === 0 && times > 2) continue; // the file cache
    found = { wall: Math.min(found.wall, one.wall), cpu: Math.min(found.cpu, one.cpu), mb: Math.max(found.mb, one.mb) };
  }
  process.stderr.write('\r\u001b[K');
  return found;
}

function whole(args) {
  const started = performance.now();
  const run = spawnSync(process.execPath, ['--import', METER, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1e9,
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return { wall: (performance.now() - started) / 1000, ...JSON.parse(String(run.output[3])) };
}

/** In a terminal of its own (script(1)), until something of the first screen can be read; then `q`. */
function terminalReplay(_round, session = '') {
  const meter = join(scratch, 'meter');
  const command = `${process.execPath} --import ${METER} ${gov} replay ${session} 3>${meter}`;
  return until(['script', ['-qec', command, '/dev/null']], meter, /sessions|calls/, (child) =>
    child.stdin.write('\u0003'),
  );
}

/** Until the browser's first question is answered. */
function webReplay() {
  const meter = join(scratch, 'meter');
  const command = `exec ${process.execPath} --import ${METER} ${gov} replay --web 3>${meter}`;
  return until(['sh', ['-c', command]], meter, /http\S+/, (child) => child.kill('SIGTERM'), true);
}

/** Starts a process in a helper, so that this one can wait for it without turning asynchronous. */
function until([file, args], meter, sign, end, web = false) {
  const helper = `
    import { spawn } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { get } from 'node:http';
    const started = performance.now();
    const child = spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'ignore'] });
    let out = '', seen = false;
    const say = (wall) => child.on('close', () => console.log(JSON.stringify({ wall, ...JSON.parse(readFileSync(${JSON.stringify(meter)}, 'utf8')) })));
    child.stdout.on('data', async (chunk) => {
      out += chunk;
      const found = ${String(sign)}.exec(out);
      if (seen || found === null) return;
      seen = true;
      if (${web}) {
        const ask = (url, headers) => new Promise((done) => get(url, { headers }, (got) => got.resume().on('end', () => done(got))));
        const first = await ask(found[0], {});
        const cookie = first.headers['set-cookie'][0].split(';')[0];
        await ask(new URL('/api/sessions', found[0]), { cookie });
      }
      say((performance.now() - started) / 1000);
      (${String(end)})(child);
    });`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', helper], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (run.status !== 0 || run.stdout === '') throw new Error(`${file} ${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** Appends to both stores in turn, on one file system: the median of each, and the CPU time of all. */
function appends(count = 300) {
  const other = govPaths({ GOV_HOME: mkdtempSync(join(scratch, 'empty-')), HOME: scratch });
  const writers = [paths, other].map((place) => openWriter(place, { nativeBinding: findNativeBinding() }));
  const took = [[], []];
  const cpu = [0, 0];
  for (let i = -20; i < count; i++)
    writers.forEach((writer, at) => {
      const before = process.cpuUsage();
      const started = performance.now();
      writer.append(actDraft({ name: 'bench', detail: { text: 'x'.repeat(1500) } }, Date.now()));
      if (i < 0) return;
      took[at].push(performance.now() - started);
      const { user, system } = process.cpuUsage(before);
      cpu[at] += user + system;
    });
  for (const writer of writers) writer.close();
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  return { big: median(took[0]), small: median(took[1]), bigCpu: cpu[0], smallCpu: cpu[1] };
}

/** The base of verifying: what nobody can do without. */
function readAndHash() {
  const db = new Database(paths.database, { readonly: true });
  for (const [body] of db.prepare('SELECT body FROM bodies').raw().iterate()) hash('sha256', body);
  db.close();
}

function s(seconds) {
  return seconds < 1 ? seconds.toFixed(2) : seconds.toFixed(1);
}
