import './last-resort.ts';
import type { EventPart } from '../agents/agent.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import { daemonMode, readConfig } from '../base/config.ts';
import { govPaths } from '../base/gov-paths.ts';
import { isId } from '../base/ids.ts';
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
import { startDaemon } from './start-daemon.ts';
import { startTiming } from './timing.ts';

/**
 * `hook.cjs PART AGENT [WHY [ID]]`, started by the launchers: one payload on standard input, one answer, one exit code.
 * WHY tells why the daemon did not answer (hooks/launch.sh), ID under which id it was asked to record the call.
 */
async function main(): Promise<void> {
  const timing = startTiming(() => performance.now());
  const caller: Caller = { env: callerEnv(process.env), cwd: workingDirectory() };
  const paths = govPaths(caller.env);
  const config = readConfig(paths.configFile);
  if (config.config.mode === 'monitor') failOpen();
  const part: EventPart = partNamed(process.argv[2]);
  const agent = agentOf(process.argv[3] ?? '');
  const [, , , , why = '', request = ''] = process.argv;
  const mode = daemonMode(config.config, caller.env);
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
    ...(isId(request) ? { id: request } : {}),
    barred: mode === 'require' && !DECLINED.has(why) ? { code: 'gov.no-daemon', why: barredText(why) } : null,
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
    append: (draft, takes = [], spooled) => {
      if (draft.call.event === 'SessionStart') startedIn = draft.call.cwd;
      if (draft.call.event === 'SessionEnd') ended = true;
      if (takes.length === 0) return opened().append(draft, undefined, spooled);
      return opened().append(draft, takingUses(takes, draft.call.session, Date.now));
    },
  });
  if (process.env['GOV_TRACE_TIMING'] === '1') writeAll(2, timing.report());
  // Closing folds the log into the database (about 1 ms): after the answer, but left out it would cost every later
  // hook more, for the log would only grow.
  const afterwards = (): void => {
    if (ended && writer !== null) signEnd(writer, paths, Date.now());
    writer?.close();
    if (mode !== 'off' && ABSENT.has(why)) startDaemon(paths, process.env);
    if (startedIn !== null)
      refreshProject(
        placeOf(paths, config.config.preset),
        machineWorld({ cwd: startedIn, env: caller.env }).workspace,
        process.env,
      );
  };
  finish(output, afterwards, !input.ok && input.late);
}

/** The launcher found no daemon, or one of another build. */
const ABSENT: ReadonlySet<string> = new Set(['absent', 'build']);
/** There is a daemon, and this call is none for it. */
const DECLINED: ReadonlySet<string> = new Set(['declined', 'large', 'build']);

function barredText(why: string): string {
  return why === 'absent'
    ? 'it is being started: try again in a moment'
    : why === 'failed'
      ? 'its answer was none'
      : 'this hook asks none';
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
