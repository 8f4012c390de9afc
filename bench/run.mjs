// Prints ratios against bases that are measured in the same run, interleaved, so that a busy machine shows in both.
// Never fails on time. `node bench/run.mjs [--rounds 30]`
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, endDaemon, launcher, makeScratch, root, startDaemon } from './daemon-scratch.mjs';

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 30) || 30;
const scratch = makeScratch();
const { workspace } = scratch;
const cold = { ...scratch.env, GOV_DAEMON: 'off' };

let calls = 0;
/** A session of its own for each call: many refusals in one session would pause it. */
const payload = (command) => () => scratch.payload(`bench-${calls++}`, command, 'toolu_bench');
const allowed = payload('git status --short && npm test');
const denied = payload('rm -rf ~/work');
const cases = [
  ['node -e 0 (base)', process.execPath, ['-e', '0'], '', 0],
  ['hook, allow', launcher, ['claude-code'], allowed, 0],
  ['hook, deny', launcher, ['claude-code'], denied, 2],
  ['warm hook, allow', launcher, ['claude-code'], allowed, 0, scratch.env],
  ['warm hook, deny', launcher, ['claude-code'], denied, 2, scratch.env],
  ['gov --version', process.execPath, [join(root, 'bin', 'run.js'), '--version'], '', 0],
  ['gov --help', process.execPath, [join(root, 'bin', 'run.js'), '--help'], '', 0],
  ['gov check', process.execPath, [join(root, 'bin', 'run.js'), 'check', '--', 'git status'], '', 0],
];
// As one that has been at work for a while: V8 compiles what is used often.
const daemon = await startDaemon(scratch);
for (let i = 0; i < 500; i++) await ask(scratch, Buffer.from(i % 2 ? denied() : allowed()));
const samples = cases.map(() => ({ wall: [], cpu: [] }));
for (let round = -2; round < rounds; round++)
  cases.forEach(([name, file, args, input, want, env = cold], i) => {
    const before = cpuUsed();
    const started = performance.now();
    const run = spawnSync(file, args, { env, input: typeof input === 'function' ? input() : input, cwd: workspace });
    const wall = performance.now() - started;
    if (run.status !== want) throw new Error(`${name}: ended with ${run.status}: ${run.stderr}`);
    if (round < 0) return; // warm the file cache, create the store
    samples[i].wall.push(wall);
    samples[i].cpu.push(cpuUsed() - before);
  });
await endDaemon(daemon);
scratch.remove();

const base = samples[0];
console.log(`wall: median, cpu: mean of ${rounds}, that of the daemon included, interleaved; x = ratio to the base`);
cases.forEach(([name], i) => {
  const wall = median(samples[i].wall);
  const cpu = mean(samples[i].cpu);
  console.log(
    `${name.padEnd(20)} wall ${wall.toFixed(1).padStart(7)} ms  ${(wall / median(base.wall)).toFixed(2)} x` +
      `   cpu ${cpu.toFixed(1).padStart(7)} ms  ${(cpu / mean(base.cpu)).toFixed(2)} x`,
  );
});

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * User and system time of all finished children and of the daemon, in milliseconds: Node has no RUSAGE_CHILDREN, proc(5)
 * gives both in hundredths of a second (fields 14 to 17 of stat), and the mean over the rounds evens that out.
 */
function cpuUsed() {
  const fields = (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  };
  const [own, other] = [fields('self'), fields(daemon.pid)];
  return (own[13] + own[14] + other[11] + other[12]) * 10;
}

function mean(values) {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}
