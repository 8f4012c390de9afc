// Prints ratios against bases that are measured in the same run, interleaved, so that a busy machine shows in both.
// Never fails on time. `node bench/run.mjs [--rounds 30]`
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 30) || 30;
const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gov-bench-'));
const workspace = join(scratch, 'home', 'project');
mkdirSync(join(workspace, '.git'), { recursive: true });
const env = { PATH: process.env.PATH, HOME: join(scratch, 'home'), GOV_HOME: join(scratch, 'gov'), GOV_DAEMON: 'off' };

let calls = 0;
/** A session of its own for each call: many refusals in one session would pause it. */
const payload = (command) => () =>
  JSON.stringify({
    session_id: `bench-${calls++}`,
    cwd: workspace,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'toolu_bench',
  });
const hook = join(root, 'hooks', 'pre-tool-use');
const cases = [
  ['node -e 0 (base)', process.execPath, ['-e', '0'], '', 0],
  ['hook, allow', hook, ['claude-code'], payload('git status --short && npm test'), 0],
  ['hook, deny', hook, ['claude-code'], payload('rm -rf ~/work'), 2],
  ['gov --version', process.execPath, [join(root, 'bin', 'run.js'), '--version'], '', 0],
  ['gov --help', process.execPath, [join(root, 'bin', 'run.js'), '--help'], '', 0],
  ['gov check', process.execPath, [join(root, 'bin', 'run.js'), 'check', '--', 'git status'], '', 0],
];
const samples = cases.map(() => ({ wall: [], cpu: [] }));
for (let round = -2; round < rounds; round++)
  cases.forEach(([name, file, args, input, want], i) => {
    const before = cpuOfChildren();
    const started = performance.now();
    const run = spawnSync(file, args, { env, input: typeof input === 'function' ? input() : input, cwd: workspace });
    const wall = performance.now() - started;
    if (run.status !== want) throw new Error(`${name}: ended with ${run.status}: ${run.stderr}`);
    if (round < 0) return; // warm the file cache, create the store
    samples[i].wall.push(wall);
    samples[i].cpu.push(cpuOfChildren() - before);
  });
rmSync(scratch, { recursive: true, force: true });

const base = samples[0];
console.log(`wall: median, cpu: mean of ${rounds}, interleaved; x = ratio to the base`);
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
 * User and system time of all finished children in milliseconds: Node has no RUSAGE_CHILDREN, proc(5) gives it in
 * hundredths of a second (fields 16 and 17 of stat), and the mean over the rounds evens that out.
 */
function cpuOfChildren() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function mean(values) {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}
