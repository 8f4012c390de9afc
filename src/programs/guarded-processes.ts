import type { EffectDraft } from '../model/effect.ts';
import { render, type Value } from '../model/value.ts';
import { effect } from './drafts.ts';
import { plainPattern, regExp } from './plain-pattern.ts';
import { EVERY_PROCESS, PIDS } from './process-ids.ts';

/** Processes of the guard and of agents: the name that rules know, and how their command lines look at the least. */
const PROCESSES: readonly (readonly [name: string, line: string])[] = [
  ['gov-daemon', 'gov/dist/gov-daemon.cjs'],
  ['gov-hook', 'gov/dist/hook.cjs'],
  ['gov-hook', 'gov/hooks/pre-tool-use'],
  ['gov-hook', 'gov-hook'],
  ...['claude', 'codex', 'gemini', 'copilot', 'opencode', 'aider', 'goose'].map((name) => [name, name] as const),
];

const LONGEST = 200;

/** Names of those processes that pkill or pgrep would find by a pattern that is no plain word; pkill(1), -f. */
export function guardedBy(pattern: string, full: boolean): readonly string[] {
  if (pattern === EVERY_PROCESS || pattern.length > LONGEST || !/[a-z]/i.test(pattern)) return [];
  const met = pattern.split('|').map((one) => matcher(one.replace(/^\((.*)\)$/, '$1')));
  const lines = full ? PROCESSES : PROCESSES.filter(([name, line]) => name === line);
  return [...new Set(lines.flatMap(([name, line]) => (met.some((one) => one(line)) ? [name] : [])))];
}

function matcher(pattern: string): (line: string) => boolean {
  const plain = plainPattern(pattern, 'extended');
  // Few repetitions over lines this short are cheap.
  const expression = plain && plain.spread <= 4 ? regExp(plain.source, '') : null;
  if (expression) return (line) => expression.test(line);
  const bare = pattern.replace(/\[(.)\]/g, '$1');
  return (line) => line.includes(bare);
}

/**
 * What is said of a program that holds, slows or looks into a process: as of a signal, if that process is the agent
 * or the guard.
 */
export function holds(via: string, targets: readonly Value[]): readonly EffectDraft[] {
  return targets.flatMap((target): readonly EffectDraft[] => {
    const text = render(target);
    for (const part of target) {
      if (typeof part === 'string' || !('hole' in part)) continue;
      if (part.hole.startsWith(PARENT)) return [effect('process-kill', text, `${via} holds the parent of the shell`)];
      if (part.hole.startsWith(PIDS)) {
        const pattern = part.hole.slice(PIDS.length);
        const names = /^(?:gov|gov-[\w-]+)$/.test(pattern) ? [pattern] : guardedBy(pattern, true);
        return names.map((name) => effect('process-kill-name', name, `${via} holds ${pattern}`));
      }
    }
    return [];
  });
}

/** How a hole begins that stands for the process that runs the agent's commands. */
export const PARENT = '$PPID ';
