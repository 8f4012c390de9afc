// Asks about the same calls with and without the daemon, whole launchers both, and compares answers and records: the
// examples of the built-in rules, and case files that are given (lines of {tool, input} or {command}). Ends with 1 if
// two differ. `node bench/warm-equals-cold.mjs [--every 1] [FILE.jsonl]...`
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { Database } from '../dist/audit/sqlite.js';
import { endDaemon, launcher, makeScratch, option, root, startDaemon } from './daemon-scratch.mjs';

const every = option('every', 1);
const files = process.argv.slice(2).filter((word) => word.endsWith('.jsonl'));
const scratch = makeScratch();
const bash = (command) => ({ tool: 'Bash', input: { command } });

function* examples() {
  for (const name of readdirSync(join(root, 'rules'), { recursive: true }).filter((file) => file.endsWith('.yaml')))
    for (const document of parseAllDocuments(readFileSync(join(root, 'rules', name), 'utf8')))
      for (const rule of document.toJS()?.rules ?? [])
        for (const example of [...(rule.tests?.match ?? []), ...(rule.tests?.no_match ?? [])])
          if (typeof example === 'string') yield bash(example);
}

function* cases(file) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { tool, input, command } = JSON.parse(line);
    if (command !== undefined) yield bash(command);
    else if (tool && input) yield { tool, input };
  }
}

const all = (files.length > 0 ? files.flatMap((file) => [...cases(file)]) : [...examples()]).filter(
  (_, i) => i % every === 0,
);

function hook(n, way, { tool, input }) {
  const payload = JSON.stringify({
    session_id: `s${n}`,
    cwd: scratch.workspace,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: `${way}-${n}`,
  });
  const env = way === 'cold' ? { ...scratch.env, GOV_DAEMON: 'off' } : scratch.env;
  return new Promise((resolve) => {
    const child = spawn(launcher, ['claude-code'], { env, cwd: scratch.workspace });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk;
      });
    child.on('close', (code) => resolve(plain(`${code} ${said}`)));
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
  });
}

/** Without what is chance: ids, and the codes made of them. */
function plain(text) {
  return text.replace(/\b[0-9a-z]{20}\b/g, 'ID').replace(/approve [0-9A-Z]{4}\b/g, 'approve CODE');
}

const daemon = await startDaemon(scratch);
const wrong = [];
let next = 0;
await Promise.all(
  Array.from({ length: 4 }, async () => {
    while (next < all.length) {
      const n = next++;
      const warm = await hook(n, 'warm', all[n]);
      const cold = await hook(n, 'cold', all[n]);
      if (warm !== cold) wrong.push(`${JSON.stringify(all[n].input)}\n  warm: ${warm}\n  cold: ${cold}`);
    }
  }),
);

// What is recorded must be the same too, but for what is each record's own.
const db = new Database(scratch.database, { readonly: true });
const bodies = new Map(
  db
    .prepare("SELECT r.call_id, b.body FROM records r JOIN bodies b USING (seq) WHERE r.kind = 'decision'")
    .raw()
    .all()
    .map(([id, body]) => [id, body]),
);
db.close();
const CHANCE = new Set(['id', 'at', 'latency_us', 'callId', 'call_id', 'marks', 'time', 'now']);
const bare = (body) =>
  JSON.stringify(JSON.parse(body ?? 'null'), (name, value) => (CHANCE.has(name) ? undefined : value));
for (let n = 0; n < all.length; n++) {
  const [warm, cold] = [bare(bodies.get(`warm-${n}`)), bare(bodies.get(`cold-${n}`))];
  if (warm !== cold) wrong.push(`records of ${JSON.stringify(all[n].input)}\n  warm: ${warm}\n  cold: ${cold}`);
}
const served = (await state())?.served ?? 0;
await endDaemon(daemon);
scratch.remove();
const asked = served - 1; // One to see that it is there.
// On a machine that is too busy some of them are left to a hook, as they should be.
if (asked < all.length / 2) wrong.push(`the daemon took only ${asked} calls of ${all.length}`);
console.log(`${all.length} calls, warm and cold (${asked} answered by the daemon): ${wrong.length} differences`);
for (const text of wrong.slice(0, 10)) console.log(text.slice(0, 4000));
process.exitCode = wrong.length === 0 && all.length > 0 ? 0 : 1;

async function state() {
  const run = spawn(process.execPath, [join(root, 'bin', 'run.js'), 'daemon', 'status', '--json'], {
    env: scratch.env,
  });
  let text = '';
  for await (const chunk of run.stdout) text += chunk;
  return JSON.parse(text).running;
}
