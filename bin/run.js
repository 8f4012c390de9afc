#!/usr/bin/env node
// Two answers are ready before anything is loaded, and one comes from the hook's pieces (src/cli/quick-check.ts);
// everything else is src/cli/run.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const args = process.argv.slice(2);
const ready = args.length > 1 ? null : readyAnswer(args[0] ?? '--help');
if (ready !== null) process.stdout.write(ready);
else if (!quickly()) {
  const { run } = await import('../dist/cli/run.js');
  await run(args, import.meta.url);
}

/** `gov check` in its plain forms. */
function quickly() {
  if (args[0] !== 'check') return false;
  try {
    const require = createRequire(import.meta.url);
    return require('../dist/check.cjs').quickCheck(args.slice(1), process.env);
  } catch {
    return false; // As above.
  }
}

function readyAnswer(word) {
  const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  try {
    if (word !== '--version' && word !== '--help' && word !== '-h') return null;
    const version = `gov/${JSON.parse(read('package.json')).version} ${process.platform}-${process.arch} node-${process.version}`;
    if (word === '--version') return `${version}\n`;
    return read('dist/cli/help.txt').replace(/^ {2}gov\/\S+ \S+ \S+$/m, () => `  ${version}`);
  } catch {
    return null; // Not there in a build that was cut short: the long way says what is wrong.
  }
}
