import { concat, knownPrefix, type Value } from '../model/value.ts';
import type { View } from './layers.ts';
import { inside, parentOf } from './paths.ts';

/** One component of a path that may not be wholly known. */
export interface Component {
  /** Text; patterns as written, holes as `${reason}`. */
  readonly text: string;
  /** As `text`, with the pattern `?*` for each hole. */
  readonly shape: string;
  /** A pattern that matches what the component may be, or null if it is plain text. */
  readonly pattern: string | null;
  readonly hole: 'name' | 'any' | null;
  readonly reason: string;
}

/** Where a path leads. */
export interface Located {
  /** Absolute and without links; patterns as written, `?*` for holes. Null: not even that is known. */
  readonly at: string | null;
  /** `at` is a directory above the place, and nothing is known of what lies between. */
  readonly open: boolean;
  /** There are holes in it. */
  readonly vague: boolean;
  readonly glob: boolean;
  readonly reason: string;
}

/** Path and working directory as one value that starts at the root, or null if it may start anywhere. */
export function absolute(cwd: Value, path: Value): Value | null {
  const first = path[0];
  if (typeof first === 'string' && first.startsWith('/')) return path;
  if (first !== undefined && typeof first !== 'string' && 'hole' in first && first.like === 'any') return null;
  const base = cwd[0];
  if (typeof base !== 'string' || !base.startsWith('/')) return null;
  return concat(cwd, ['/'], path);
}

/** Cuts a value at its slashes. */
export function componentsOf(value: Value): Component[] {
  const out: Component[] = [];
  let text = '';
  let shape = '';
  let pattern = '';
  let globs = false;
  let hole: 'name' | 'any' | null = null;
  let reason = '';
  const end = (): void => {
    if (text !== '' || hole) out.push({ text, shape, pattern: globs ? pattern : null, hole, reason });
    text = '';
    shape = '';
    pattern = '';
    globs = false;
    hole = null;
    reason = '';
  };
  for (const part of value) {
    if (typeof part === 'string') {
      const pieces = part.split('/');
      pieces.forEach((piece, i) => {
        if (i > 0) end();
        text += piece;
        shape += piece;
        pattern += piece.replace(/[*?[\]\\!^-]/g, '\\$&');
      });
    } else if ('glob' in part) {
      part.glob.split('/').forEach((piece, i) => {
        if (i > 0) end();
        text += piece;
        shape += piece;
        pattern += piece;
        globs ||= piece !== '';
      });
    } else {
      text += `\${${part.hole}}`;
      shape += '?*';
      pattern += '*';
      hole = hole === 'any' ? 'any' : part.like;
      reason ||= part.hole;
    }
  }
  end();
  return out;
}

/** `C:\x`, `C:/x`, `\\\\server\\share`. */
const ON_DRIVE = /^(?:[A-Za-z]:[\\/]|\\\\[\w.$-]+\\)/;

const MAX_LINKS = 40; // as Linux, path_resolution(7)
const MAX_COMPONENTS = 4096;

// proc(5). `/dev/fd` is a link to it.
const PROCESS = /^(?:\/proc\/(self|thread-self|\d+)(?:\/(?:task\/[^/]+\/)?(.+))?|\/dev\/(fd\/[^/]+))$/;

/**
 * Follows a path as the kernel does (path_resolution(7)): component by component, `..` after links, a link in the
 * last place only if `follow` or a slash stands after it. Never throws.
 */
export function locate(cwd: Value, path: Value, follow: boolean, view: View): Located {
  // In Git Bash and WSL a drive is a place of its own, wherever the command stands.
  if (ON_DRIVE.test(knownPrefix(path)) && knownPrefix(cwd).startsWith('/')) return nowhere('a drive of Windows');
  const whole = absolute(cwd, path);
  if (!whole) return nowhere(firstReason(path) || firstReason(cwd) || 'unknown directory');
  const last = whole.at(-1);
  const mustFollow = follow || (typeof last === 'string' && last.endsWith('/'));
  const queue = componentsOf(whole).reverse();
  if (queue.length > MAX_COMPONENTS) return nowhere('path too long');
  let at = '/';
  let links = 0;
  let vague = false;
  let glob = false;
  let reason = '';
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.hole === 'any') return { at, open: true, vague: true, glob, reason: next.reason };
    if (next.text === '.') continue;
    if (next.text === '..') {
      at = parentOf(at);
      continue;
    }
    const here = inside(at, next.text);
    if (next.hole || next.pattern) {
      vague ||= next.hole !== null;
      reason ||= next.reason;
      glob ||= next.pattern !== null;
      at = inside(at, next.shape);
      continue;
    }
    const process = PROCESS.exec(here);
    if (process) {
      const whose = process[1];
      const what = process[2] ?? process[3];
      // The links below are those of the process that looks, which is not the one that will run.
      if (what !== 'root' && what !== 'cwd') {
        if (what?.startsWith('fd/') && queue.length > 0) return nowhere('an open directory of a process');
        at = here;
        continue;
      }
      if (++links > MAX_LINKS) return nowhere('too many symbolic links');
      if (what === 'cwd' && whose !== 'self' && whose !== 'thread-self') return nowhere('directory of another process');
      if (what === 'cwd') queue.push(...componentsOf(cwd).reverse());
      at = '/';
      continue;
    }
    const isLast = queue.length === 0;
    if (!isLast || mustFollow) {
      const twin = isLast ? view.twin(here) : '';
      const target = twin !== '' ? twin : view.kind(here) === 'link' ? view.readLink(here) : '';
      if (target === null) return nowhere('link to an unknown place');
      if (target !== '') {
        if (++links > MAX_LINKS) return nowhere('too many symbolic links');
        queue.push(...componentsOf([target]).reverse());
        if (target.startsWith('/')) at = '/';
        continue;
      }
    }
    at = here;
  }
  return { at, open: false, vague, glob, reason };
}

function nowhere(reason: string): Located {
  return { at: null, open: true, vague: true, glob: false, reason };
}

function firstReason(value: Value): string {
  for (const part of value) if (typeof part !== 'string' && 'hole' in part) return part.hole;
  return '';
}
