// Scores the built `gov` against case files that lie beside the checkout, when they are there.
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
const runs = [
  ['cases.jsonl', '--gov', gov, ...process.argv.slice(3)],
  ['real-commands.jsonl', '--real', '--gov', gov],
];
for (const [file, ...args] of runs) {
  console.log(`\n== ${file}`);
  const run = spawnSync(process.execPath, [script, join(dir, file), ...args], { stdio: 'inherit' });
  if (run.status !== 0) process.exit(run.status ?? 1);
}
