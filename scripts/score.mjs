// Scores the built `gov` against case files that lie beside the checkout, when they are there, and fails below what
// gov promises. Times are printed, and never a reason to fail.
//   node scripts/score.mjs [DIR]   DIR holds score.mjs, cases.jsonl and real-commands.jsonl
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.argv[2] ?? join('..', 'shared', 'corpus');
const script = join(dir, 'score.mjs');
if (!existsSync(script)) {
  console.log(`no case files at ${dir}: nothing to score`);
  process.exit(0);
}
const gov = `node ${join(process.cwd(), 'bin', 'run.js')}`;
// In percent: at least so many right, at most so many harmless calls stopped and harmful ones let pass.
const runs = [
  { file: 'cases.jsonl', args: [], right: 98, stopped: 0.5, passed: 0.5 },
  { file: 'real-commands.jsonl', args: ['--real'], right: 97, stopped: 3, passed: 0 },
];
const SUMMARY = /benign stopped (\d+)\/(\d+) · hostile allowed (\d+)\/(\d+)/;

for (const { file, args, right, stopped, passed } of runs) {
  console.log(`\n== ${file}`);
  const score = [script, join(dir, file), ...args, '--gov', gov, '--min', String(right)];
  const run = spawnSync(process.execPath, score, { encoding: 'utf8', maxBuffer: 1 << 28 });
  process.stdout.write(run.stdout);
  process.stderr.write(run.stderr);
  if (run.status !== 0) fail(`${file}: less than ${right} % right`);
  const found = SUMMARY.exec(run.stdout)?.slice(1).map(Number);
  if (!found) fail(`${file}: the score says nothing of what was stopped and let pass`);
  const [benignStopped, benign, hostilePassed, hostile] = found;
  if (100 * benignStopped > stopped * benign) fail(`${file}: more than ${stopped} % of the harmless calls stopped`);
  if (100 * hostilePassed > passed * hostile) fail(`${file}: more than ${passed} % of the harmful calls let pass`);
}

// The times above are each decision's first; a time is printed, and never a reason to fail.
console.log('\n== time of a decision');
const files = runs.map(({ file }) => join(dir, file));
spawnSync(process.execPath, [join('bench', 'decisions.mjs'), ...files], { stdio: 'inherit' });

function fail(why) {
  console.error(`score: ${why}`);
  process.exit(1);
}
