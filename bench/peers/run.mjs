// Measures guards for coding agents side by side: gov and its peers, one new process for each payload, each in a scratch
// /home without network. Prints one table: wall and CPU against `node -e 0` in the same run, interleaved, medians; and
// how many cases of a corpus each decides as they are labelled.
//   node bench/peers/run.mjs [--corpus FILE] [--every N] [--peer NAME=COMMAND]… [--tools NAME=Tool,Tool]…
//                            [--classes] [--misses FILE]
// --every N takes each Nth case only; --classes adds how many are right of each class; --misses writes what was not.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BASE, guardsNamed, knownGuards } from './guards.mjs';
import { payloadOf, WORKSPACE, worldOf } from './payload.mjs';
import { isRight, tally, verdictOf } from './verdict.mjs';

const { values: options } = parseArgs({
  options: {
    corpus: {
      type: 'string',
      default: fileURLToPath(new URL('../../../shared/corpus/cases.jsonl', import.meta.url)),
    },
    every: { type: 'string', default: '1' },
    peer: { type: 'string', multiple: true, default: [] },
    tools: { type: 'string', multiple: true, default: [] },
    classes: { type: 'boolean', default: false },
    misses: { type: 'string' },
  },
});
if (!existsSync(options.corpus)) throw new Error(`no cases at ${options.corpus}: name them with --corpus`);
const every = Number(options.every);
if (!Number.isInteger(every) || every < 1) throw new Error(`--every takes a whole number from 1, not ${options.every}`);
const cases = readFileSync(options.corpus, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter((_, i) => i % every === 0);
const guards = [...knownGuards(), ...guardsNamed(options.peer, options.tools)];

const scratch = mkdtempSync(join(tmpdir(), 'gov-peers-'));
const cells = [BASE, ...guards].map((guard, i) => startCell(guard, join(scratch, String(i))));
try {
  for (const cell of cells) await refuseIfItRuns(cell);
  for (const [n, testCase] of cases.entries()) {
    const call = { payload: payloadOf(testCase), cwd: testCase.cwd, world: worldOf(testCase) };
    // Another one goes first each time, so that none always finds the caches warm.
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[(i + n) % cells.length];
      const end = await cell.ask(call);
      cell.results.push({ testCase, ...verdictOf(end), wallMs: end.wallMs, cpuMs: end.cpuMs });
    }
    if ((n + 1) % 100 === 0) console.error(`${n + 1} of ${cases.length}`);
  }
} finally {
  for (const cell of cells) await cell.stop();
  rmSync(scratch, { recursive: true, force: true });
}
report(cells[0], cells.slice(1));

/** A guard's process in namespaces of its own, with `home` at /home. The results of its calls gather in `results`. */
function startCell(guard, home) {
  const mark = join(home, '.gov-bench-peers');
  mkdirSync(join(home, 'dev'), { recursive: true });
  const init = spawnSync('git', ['init', '-q', '-b', 'topic', '--template=', mark], { encoding: 'utf8' });
  if (init.status !== 0) throw new Error(`git init: ${init.stderr || init.error}`);
  // Not `.git`: the place must not look like a repository that holds the home directory.
  renameSync(join(mark, '.git'), join(mark, 'git'));
  const enter = 'mount --bind "$1" /home && mount -o remount,bind,ro / && cd /home && exec "$2" "$3" "$4"';
  const script = fileURLToPath(new URL('cell.mjs', import.meta.url));
  const child = spawn(
    'unshare',
    [
      ...['--user', '--map-root-user', '--mount', '--net', 'sh', '-c', enter, 'enter'],
      ...[home, process.execPath, script, JSON.stringify({ command: guard.command, env: guard.env ?? {} })],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => {
    child.on('error', resolve);
    child.on('exit', resolve);
  });
  child.stdin.on('error', () => {}); // told by the missing answer
  return {
    guard,
    home,
    results: [],
    async ask(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { value, done } = await lines.next();
      if (done)
        throw new Error(`${guard.name}: no scratch /home: this needs \`unshare\` with user namespaces (Linux only)`);
      return JSON.parse(value);
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Before it sees a hostile command, a guard is shown harmless ones that leave a file behind. If there is one, it ran them. */
async function refuseIfItRuns(cell) {
  const file = `${WORKSPACE}/it-ran`;
  const commands = [
    `touch ${file}`,
    `echo "$(touch ${file})"`,
    `bash -c 'touch ${file}'`,
    'sh ./canary.sh',
    'make canary',
  ];
  for (const [i, command] of commands.entries()) {
    const testCase = { id: `canary-${i}`, tool: 'Bash', input: { command }, cwd: WORKSPACE };
    const world = [
      { path: `${WORKSPACE}/canary.sh`, content: `touch ${file}\n` },
      { path: `${WORKSPACE}/Makefile`, content: `canary:\n\ttouch ${file}\nX := $(shell touch ${file})\n` },
    ];
    const { status, stderr } = await cell.ask({ payload: payloadOf(testCase), cwd: WORKSPACE, world });
    if (status === 126 || status === 127) throw new Error(`${cell.guard.name} can't be started: ${stderr}`);
    if (existsSync(join(cell.home, 'dev', 'project', 'it-ran')))
      throw new Error(`${cell.guard.name} runs the commands that it is asked about (${command}): not measured`);
  }
}

function report(base, measured) {
  const claims = (guard, tool) => !guard.tools || guard.tools.includes(tool);
  const timed = (cell) =>
    cell.results.filter(({ testCase }) => measured.every(({ guard }) => claims(guard, testCase.tool)));
  const middle = (cell, field) => median(timed(cell).map((result) => result[field]));
  const rows = measured.map((cell) => {
    const { guard, results } = cell;
    const counted = results.map(({ testCase, decision }) => ({ want: testCase.want, decision, tool: testCase.tool }));
    const own = tally(counted.filter(({ tool }) => claims(guard, tool)));
    const other = tally(counted.filter(({ tool }) => !claims(guard, tool)));
    return [
      [`${guard.name} ${guard.version}`.trim(), guard.setting].filter(Boolean).join(', '),
      ...['wallMs', 'cpuMs'].map((field) => `${(middle(cell, field) / middle(base, field)).toFixed(2)} ×`),
      `${own.right} of ${own.of}`,
      `${own.hostileAllowed} of ${own.hostile}`,
      `${own.benignStopped} of ${own.benign}`,
      own.asked + other.asked,
      other.of === 0 ? '–' : `${other.right} of ${other.of}`,
      results.filter(({ fault }) => fault).length,
    ];
  });
  console.log(
    `${cases.length} cases; times over the ${timed(base).length} that all of them claim; ${BASE.name} (Node ${BASE.version}): ` +
      `wall ${middle(base, 'wallMs').toFixed(0)} ms, CPU ${middle(base, 'cpuMs').toFixed(0)} ms\n`,
  );
  const head = [
    'guard',
    'wall',
    'CPU',
    'right',
    'hostile allowed',
    'benign stopped',
    'asked',
    'not claimed, right',
    'faults',
  ];
  printTable(head, rows);
  if (options.classes) {
    const names = [...new Set(cases.map((testCase) => testCase.class))].sort();
    const rightOf = ({ results }, name) => {
      const own = results.filter(({ testCase }) => testCase.class === name);
      return `${own.filter(({ testCase, decision }) => isRight(testCase.want, decision)).length} of ${own.length}`;
    };
    console.log('');
    printTable(
      ['class', ...measured.map(({ guard }) => [guard.name, guard.setting].filter(Boolean).join(', '))],
      names.map((name) => [name, ...measured.map((cell) => rightOf(cell, name))]),
    );
  }
  if (options.misses) {
    const wrong = measured.flatMap(({ guard, results }) =>
      results
        .filter(({ testCase, decision }) => !isRight(testCase.want, decision))
        .map(({ testCase: { id, want }, decision, fault }) => {
          return { guard: guard.name, setting: guard.setting, id, want, got: decision, fault };
        }),
    );
    writeFileSync(options.misses, wrong.map((miss) => `${JSON.stringify(miss)}\n`).join(''));
  }
}

function printTable(head, rows) {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
