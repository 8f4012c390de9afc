import { statSync } from 'node:fs';
import { Flags } from '@oclif/core';
import type { Filter } from '../audit/read/filter.ts';
import { openStore, reading, type Store } from '../audit/read/store.ts';
import { GovError } from '../base/errors.ts';
import { fileError } from '../base/file-errors.ts';
import { type GovPaths, govPaths } from '../base/gov-paths.ts';
import { parseWhen } from './when.ts';

/** What all commands over records narrow them by. */
export const FILTER_FLAGS = {
  since: Flags.string({
    description: 'from this time on: 2h, 7d, today, 2026-01-05, ISO 8601 (UTC)',
    helpValue: 'TIME',
  }),
  until: Flags.string({ description: 'before this time', helpValue: 'TIME' }),
  session: Flags.string({ description: 'session id, or its beginning', helpValue: 'ID' }),
  agent: Flags.string({ description: 'agent, e.g. claude-code', helpValue: 'NAME' }),
  rule: Flags.string({ description: 'rule that fired; * stands for anything', helpValue: 'ID' }),
  decision: Flags.string({
    description: 'what the agent was told: allow, ask, deny, halt, or blocked for deny and halt; comma-separated',
    helpValue: 'WORD',
  }),
  kind: Flags.string({ description: 'kind of record', options: ['decision', 'outcome', 'session', 'gov'] }),
  tool: Flags.string({ description: "tool, by gov's name or the agent's own", helpValue: 'NAME' }),
  program: Flags.string({ description: 'program that a command would run', helpValue: 'NAME' }),
  path: Flags.string({
    description: 'a file that the call read, wrote or deleted, or a directory above it; relative: the end of the path',
    helpValue: 'PATH',
  }),
  text: Flags.string({
    description: 'a text in the call, its result or the reason',
    helpValue: 'TEXT',
  }),
};

type FilterFlags = { readonly [K in keyof typeof FILTER_FLAGS]?: string | undefined };

const ANSWERS = ['allow', 'ask', 'deny', 'halt'] as const;

/** The filter that the flags ask for. Throws `usage-time`, `usage-decision`. */
export function filterOf(flags: FilterFlags, now: number): Filter {
  const given: [string, string | number | readonly string[] | undefined][] = [
    ['since', flags.since === undefined ? undefined : parseWhen(flags.since, now)],
    ['until', flags.until === undefined ? undefined : parseWhen(flags.until, now)],
    ['session', flags.session],
    ['agent', flags.agent],
    ['rule', flags.rule],
    ['decision', flags.decision === undefined ? undefined : answersOf(flags.decision)],
    ['kind', flags.kind],
    ['tool', flags.tool],
    ['program', flags.program],
    ['path', flags.path],
    ['text', flags.text],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function answersOf(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  for (const word of words)
    if (word !== 'blocked' && !ANSWERS.some((answer) => answer === word))
      throw new GovError({
        code: 'usage-decision',
        message: `\`${word}\` is not a decision`,
        help: `one of ${ANSWERS.join(', ')}, blocked`,
      });
  return [...new Set(words.flatMap((word) => (word === 'blocked' ? ['deny', 'halt'] : [word])))];
}

/** A store that somebody named, a copy for example. */
function openNamed(file: string): Store {
  let directory: boolean;
  try {
    directory = statSync(file).isDirectory();
  } catch (cause) {
    throw fileError('store-missing', file, cause);
  }
  if (directory) throw fileError('store-unreadable', file, { code: 'EISDIR' });
  try {
    return openStore(file);
  } catch (error) {
    const { code } = (error as { readonly cause?: { readonly code?: unknown } }).cause ?? {};
    if (!(error instanceof GovError) || code !== 'SQLITE_NOTADB') throw error;
    throw new GovError({ code: 'store-foreign', message: `\`${file}\` is not an audit store of gov`, cause: error });
  }
}

/** Runs `use` on the store of this user, and closes it whatever happens. */
export function withStore<T>(use: (store: Store, paths: GovPaths) => T, file?: string): T {
  const paths = govPaths(process.env);
  const store = file === undefined ? openStore(paths.database) : openNamed(file);
  try {
    return reading(store.file, () => use(store, paths));
  } finally {
    store.close();
  }
}
