#!/usr/bin/env node
// Two answers are ready before anything is loaded; everything else is src/cli/run.ts.
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const ready = args.length > 1 ? null : readyAnswer(args[0] ?? '--help');
if (ready !== null) process.stdout.write(ready);
else {
  const { run } = await import('../dist/cli/run.js');
  await run(args, import.meta.url);
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
