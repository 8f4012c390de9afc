import { fstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../base/config.ts';
import { visibleJson } from '../base/escape.ts';
import { govPaths } from '../base/gov-paths.ts';
import { writeAll } from '../base/write-all.ts';
import { policyInForce } from '../policy/in-force.ts';
import { machineWorld } from '../world/machine.ts';
import { exitCodeOf, judgeCall, resultOf } from './check-answer.ts';
import { commandText, parseInput } from './check-call.ts';
import { explanation, headline } from './check-explain.ts';
import { paint } from './paint.ts';

const VALUES = { '--tool': 'tool', '--input': 'input', '--cwd': 'cwd', '--agent': 'agent' } as const;
const SWITCHES = { '--json': 'json', '--explain': 'explain', '--exit-code': 'exitCode' } as const;

interface Asked {
  readonly texts: Partial<Record<(typeof VALUES)[keyof typeof VALUES], string>>;
  readonly on: ReadonlySet<(typeof SWITCHES)[keyof typeof SWITCHES]>;
  readonly words: readonly string[];
}

/**
 * `gov check` in its plain forms, from the pieces of the hook's bundle: a fraction of the time that the whole command
 * line takes to start. False, with nothing printed, for everything else: other options, mistakes, a policy that is not
 * as it should be. `src/commands/check.ts` then answers, or says what is wrong.
 */
export function quickCheck(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const asked = read(args);
  if (asked === null) return false;
  const { texts, on, words } = asked;
  const terminal = isTerminal(1);
  if (on.has('json') && terminal) return false;
  try {
    const cwd = resolve(texts.cwd ?? process.cwd());
    const input = texts.input === undefined ? { command: commandText(words) } : parseInput(texts.input);
    const paths = govPaths(env);
    const world = machineWorld({ cwd, env });
    const { preset } = readConfig(paths.configFile).config;
    const place = { built: paths.policy, builtin: join(import.meta.dirname, 'policy'), preset };
    const { policy, faults } = policyInForce(place, world.workspace);
    if (faults.length > 0) return false;
    const call = { tool: texts.tool ?? 'Bash', input, cwd, agent: texts.agent ?? 'claude-code' };
    const judged = judgeCall(call, world, policy, on.has('explain') || on.has('json'));
    const p = paint({ isTTY: terminal }, env);
    const lines = on.has('explain') ? explanation(judged, p) : [headline(judged, p)];
    writeAll(
      1,
      on.has('json') ? `${visibleJson(JSON.stringify(resultOf(judged), null, 2))}\n` : `${lines.join('\n')}\n`,
    );
    if (on.has('exitCode')) process.exitCode = exitCodeOf(judged.decision.answer);
    return true;
  } catch {
    return false;
  }
}

/** Null for whatever is not `[OPTIONS] [--] WORDS` with options that are known here, each with its value behind it. */
function read(args: readonly string[]): Asked | null {
  const texts: Record<string, string> = {};
  const on = new Set<string>();
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    if (Object.hasOwn(VALUES, arg)) {
      const value = args[++at];
      if (value === undefined || value.startsWith('-')) return null;
      texts[VALUES[arg as keyof typeof VALUES]] = value;
    } else if (Object.hasOwn(SWITCHES, arg)) on.add(SWITCHES[arg as keyof typeof SWITCHES]);
    else break;
  }
  const closed = args[at] === '--';
  const words = args.slice(closed ? at + 1 : at);
  if (!closed && words.some((word) => word.startsWith('-'))) return null;
  if ((words.length === 0) === (texts['input'] === undefined)) return null;
  return { texts, on, words } as Asked;
}

/** Near enough for colours; `node:tty` brings the network along. */
function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
