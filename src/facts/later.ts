import type { FileFact } from '../model/facts.ts';
import type { Overlay } from '../model/world.ts';
import { parentOf } from '../world/paths.ts';
import { type Findings, joined } from './findings.ts';
import { shellFindings } from './shell-tool.ts';

/** Roles of files that a shell runs by itself some day. */
const SHELL_TEXT: ReadonlySet<string> = new Set(['git-hook', 'envrc', 'shell-startup']);
const MAX_FILES = 8;

/**
 * The findings with what the text would do that a call writes into a git hook, an .envrc or a shell's startup file:
 * whoever writes it there runs it, only later. Its commands name the role in `via` and have no place in the call's text.
 */
export function withLaterRuns(found: Findings, world: Overlay): Findings {
  const texts = found.files.filter(isShellText);
  if (texts.length === 0) return found;
  const runs = texts.slice(0, MAX_FILES).map((file) => laterRun(file, world));
  return joined([found, ...runs]);
}

function isShellText(file: FileFact): boolean {
  if (file.op !== 'write' && file.op !== 'create') return false;
  if (!SHELL_TEXT.has(file.role) || file.content === '' || file.real === null) return false;
  const program = /^#![ \t]*(\S+)(?:[ \t]+(\S+))?/.exec(file.content);
  return program === null || /(?:^|\/)(?:env|(?:ba|z|da|k|a)?sh)$/.test(program[2] ?? program[1] ?? '');
}

function laterRun(file: FileFact, world: Overlay): Findings {
  const dir = file.role === 'envrc' ? parentOf(file.real as string) : world.workspace;
  const inner = shellFindings(file.content, dir, world);
  const via = <T extends { readonly via: readonly string[] }>(x: T): T => ({ ...x, via: [file.role, ...x.via] });
  return {
    ...inner,
    commands: inner.commands.map((c) => ({ ...via(c), span: null, targets: c.targets.map(via) })),
    files: inner.files.map(via),
    unknowns: [],
  };
}
