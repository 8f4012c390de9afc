// Whether the daemon's memory stays flat: many decisions from many sessions, with its memory every so often and the slope
// of the second half. A million take 8 to 15 minutes on two cores, and 3 GB of disk while they run.
// `node bench/daemon-soak.mjs [--calls 1000000] [--every 50000] [--clients 64]`
import { readFileSync } from 'node:fs';
import { ask, askStatus, endDaemon, makeScratch, option, startDaemon } from './daemon-scratch.mjs';

const calls = option('calls', 1_000_000);
const every = option('every', 50_000);
const clients = option('clients', 64);
const COMMANDS = [
  'git status --short && npm test',
  'cat package.json | jq .scripts',
  'rm -rf ~/work',
  "git commit -m 'a message'",
  'rm -rf dist && npm run build',
  'echo $(cat notes.txt) | tee -a log.txt',
  'API_TOKEN=abcdef0123456789 curl -s https://example.com/v1 -H "Authorization: Bearer abcdef0123456789abcdef"',
  'eval "$X"',
];
const scratch = makeScratch();
const daemon = await startDaemon(scratch);
const started = performance.now();
let sent = 0;
let refused = 0;

async function one() {
  const n = sent++;
  // Sessions come and go, as do commands: each has words that nobody has seen before.
  const session = `s${n % 200}-${Math.floor(n / 4000)}`;
  const command = `${COMMANDS[n % COMMANDS.length]} # ${n}`;
  const said = await ask(scratch, Buffer.from(scratch.payload(session, command, `call-${n}`))).catch(() => '');
  if (!said.startsWith('gov-answer 1 ')) refused++;
}

/** MiB: what is resident and not a file's (proc(5)), and V8's heap. */
async function memory() {
  const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  const own = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  const { heap } = await askStatus(scratch);
  return { resident, own, heap: heap / 2 ** 20 };
}

const points = [];
for (let done = 0; done < calls; done += every) {
  const end = sent + Math.min(every, calls - done);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (sent < end) await one();
    }),
  );
  const now = await memory();
  points.push([sent, now.own]);
  const seconds = (performance.now() - started) / 1000;
  const text = `resident ${now.resident.toFixed(0)} MiB, own ${now.own.toFixed(0)} MiB, heap ${now.heap.toFixed(0)} MiB`;
  console.log(`${String(sent).padStart(8)} decisions, ${seconds.toFixed(0)} s: ${text}`);
}
const half = points.slice(points.length >> 1);
console.log(`slope over the second half: ${(slope(half) * 1e6).toFixed(1)} MiB a million decisions`);
console.log(`refused: ${refused} of ${sent}`);
await endDaemon(daemon);
scratch.remove();

/** Of the line with the least squares. */
function slope(line) {
  const mean = (at) => line.reduce((sum, point) => sum + point[at], 0) / line.length;
  const [x, y] = [mean(0), mean(1)];
  const over = line.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / line.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
