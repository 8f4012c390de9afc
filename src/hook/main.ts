import './last-resort.ts';
import type { EventPart } from '../agents/agent.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import { readConfig } from '../base/config.ts';
import { govPaths } from '../base/gov-paths.ts';
import { LIMITS } from '../base/limits.ts';
import { writeAll } from '../base/write-all.ts';
import { takingUses } from '../grants/in-force.ts';
import { loadPolicy } from '../policy/load.ts';
import { machineWorld } from '../world/machine.ts';
import { type Caller, callerEnv } from './caller.ts';
import { agentOf, contextOf, partNamed, payloadFrom, placeOf } from './context.ts';
import { signEnd } from './ended.ts';
import { handle } from './handle.ts';
import { readInput } from './input.ts';
import { failOpen, finish } from './last-resort.ts';
import { refreshProject } from './refresh.ts';
import { startTiming } from './timing.ts';

/** `hook.cjs PART AGENT`, started by the launchers: one payload on standard input, one answer, one exit code. */
async function main(): Promise<void> {
  const timing = startTiming(() => performance.now());
  const caller: Caller = { env: callerEnv(process.env), cwd: workingDirectory() };
  const paths = govPaths(caller.env);
  const config = readConfig(paths.configFile);
  if (config.config.mode === 'monitor') failOpen();
  const part: EventPart = partNamed(process.argv[2]);
  const agent = agentOf(process.argv[3] ?? '');
  timing.mark('configuration');
  const input = await readInput(LIMITS.stdinBytes, LIMITS.hookDeadlineMs - timing.elapsed());
  timing.mark('standard input');

  let writer: Writer | null = null;
  // A call that a person stopped does not wait long for its record.
  let hurried = false;
  const opened = (): Writer => {
    writer ??= openWriter(paths, { nativeBinding: findNativeBinding(), ...(hurried ? { budgetMs: 300 } : {}) });
    return writer;
  };
  let startedIn: string | null = null;
  let ended = false;
  const context = contextOf({
    part,
    agent,
    caller,
    paths,
    config,
    load: loadPolicy,
    writer: opened,
    elapsed: timing.elapsed,
    mark: timing.mark,
    onStop: (stop) => {
      hurried = stop !== null;
    },
  });
  const output = handle(payloadFrom(caller, input), {
    ...context,
    append: (draft, takes = []) => {
      if (draft.call.event === 'SessionStart') startedIn = draft.call.cwd;
      if (draft.call.event === 'SessionEnd') ended = true;
      if (takes.length === 0) return opened().append(draft);
      return opened().append(draft, takingUses(takes, draft.call.session, Date.now));
    },
  });
  if (process.env['GOV_TRACE_TIMING'] === '1') writeAll(2, timing.report());
  // Closing folds the log into the database (about 1 ms): after the answer, but left out it would cost every later
  // hook more, for the log would only grow.
  const afterwards = (): void => {
    if (ended && writer !== null) signEnd(writer, paths, Date.now());
    writer?.close();
    if (startedIn !== null)
      refreshProject(
        placeOf(paths, config.config.preset),
        machineWorld({ cwd: startedIn, env: caller.env }).workspace,
        process.env,
      );
  };
  finish(output, afterwards, !input.ok && input.late);
}

/** Null if the directory that the agent started the hook in is gone. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

void main();
