// What the daemon holds: decisions a second from many clients, latency at a fixed rate, memory over many decisions. The
// load comes from this process, on the same machine. `node bench/daemon-load.mjs [--calls 20000] [--sessions 200]
// [--rate 500] [--soak 0]`; GOV_BENCH_DIR is where the store lies.
import { existsSync, readFileSync } from 'node:fs';
import { ask, endDaemon, makeScratch, option, startDaemon } from './daemon-scratch.mjs';

const calls = option('calls', 20_000);
const sessions = option('sessions', 200);
const rate = option('rate', 500);
const soak = option('soak', 0);
const COMMANDS = [
  'git status --short && npm test',
  'cat package.json | jq .scripts',
  'grep -rn TODO src | head',
  "git commit -m 'a message'",
  'rm -rf dist && npm run build',
  'ls -la src',
];
const scratch = makeScratch();
const daemon = await startDaemon(scratch);
let sent = 0;
let refused = 0;

async function one() {
  const n = sent++;
  const command = COMMANDS[n % COMMANDS.length];
  // Sessions come and go: their limits look back on what they did.
  const session = `s${n % sessions}-${Math.floor(n / (sessions * 50))}`;
  const started = performance.now();
  const said = await ask(scratch, Buffer.from(scratch.payload(session, `${command} # ${n}`, `call-${n}`))).catch(
    () => '',
  );
  if (!said.startsWith('gov-answer 1 ')) refused++;
  return performance.now() - started;
}

/** As fast as the answers come, from so many clients. */
async function flood(count, clients) {
  const end = sent + count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (sent < end) await one();
    }),
  );
  return (count * 1000) / (performance.now() - started);
}

/** So many a second, whether or not answers come. */
async function steady(count, perSecond) {
  const times = [];
  const open = [];
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const due = started + (i * 1000) / perSecond;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    open.push(one().then((ms) => times.push(ms)));
  }
  await Promise.all(open);
  return times.sort((a, b) => a - b);
}

/** Resident memory in MiB and CPU seconds of the daemon, from proc(5); null elsewhere than on Linux. */
function daemonUse() {
  if (!existsSync(`/proc/${daemon.pid}/stat`)) return null;
  const stat = readFileSync(`/proc/${daemon.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    mib: Math.round((Number(fields[21]) * 4096) / 2 ** 20),
    cpu: (Number(fields[11]) + Number(fields[12])) / 100,
  };
}

await flood(2000, 32); // compiled and warm
const before = daemonUse();
const perSecond = await flood(calls, sessions);
const after = daemonUse();
console.log(`${sessions} sessions at once: ${perSecond.toFixed(0)} decisions/s, each durable`);
if (before && after)
  console.log(`CPU of the daemon: ${(((after.cpu - before.cpu) * 1000) / calls).toFixed(2)} ms a decision`);
const times = await steady(Math.min(calls, rate * 20), rate);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
console.log(`at ${rate}/s: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
for (let left = soak; left > 0; left -= 50_000) {
  await flood(Math.min(left, 50_000), 64);
  console.log(`after ${sent} decisions: ${daemonUse()?.mib} MiB`);
}
console.log(`refused: ${refused} of ${sent}`);
await endDaemon(daemon);
scratch.remove();
