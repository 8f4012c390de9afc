import { posix } from 'node:path';
import type { DestDraft, EffectDraft, FileDraft, Sends } from '../model/effect.ts';
import type { FileFact } from '../model/facts.ts';
import { knownPrefix, render, type Taint, taintsOf, textOf, type Value } from '../model/value.ts';
import { addDest, addEffect, addFile, type CommandDraft } from './record.ts';
import type { Run } from './run.ts';
import { mergeTaints, pour, textStream } from './sinks.ts';
import { type Descriptor, type Frame, hole, keyOf } from './state.ts';

/** The descriptor behind a path that a process substitution gave, or null. */
export function streamBehind(run: Run, path: Value): Descriptor | null {
  for (const part of path) {
    const found = typeof part === 'string' ? undefined : run.streams.get(part);
    if (found) return found;
  }
  return null;
}

/** Resolves drafts against the world as it is now, then lays their effects over it. */
export function applyFiles(
  run: Run,
  command: CommandDraft | null,
  frame: Frame,
  cwd: Value,
  drafts: readonly FileDraft[],
  taints: readonly Taint[],
  certain: boolean,
): readonly FileFact[] {
  const made: { readonly fact: FileFact; readonly draft: FileDraft }[] = [];
  for (const written of drafts) {
    const draft = inThisFileSystem(frame, cwd, written);
    if (!draft) {
      if (frame.elsewhere === 'remote' && written.op === 'delete') applyRemoteDelete(run, command, written, certain);
      else if (written.op === 'read') applyReadElsewhere(run, command, written, certain);
      else if (written.op !== 'list' && written.op !== 'exec')
        applyChangeElsewhere(run, command, frame, written, certain);
      continue;
    }
    const behind = streamBehind(run, draft.path);
    if (behind) {
      if (draft.op === 'write' || draft.op === 'create')
        pour(behind.sink, draft.content ? textStream(draft.content) : { value: null, taints });
      continue;
    }
    if (isStandardStream(draft.path)) continue;
    for (const fact of run.world.files(cwd, draft)) {
      const via = command?.name ? [...frame.via, command.name] : frame.via;
      made.push({
        draft,
        fact: { ...fact, via, command: command?.id ?? -1, certain: fact.certain && certain && draft.certain !== false },
      });
    }
    if (draft.op === 'create') run.made.add(keyOf(draft.path));
  }
  for (const { fact, draft } of made) {
    addFile(run.record, command, fact);
    if (draft.op === 'read' || draft.op === 'list' || draft.op === 'exec') continue;
    run.changes++;
    if (fact.real !== null && (draft.op === 'write' || draft.op === 'create')) run.written.add(fact.real);
    run.world.apply(fact, draft, taints);
    const carried = draft.content ? mergeTaints(taints, taintsOf(draft.content)) : taints;
    const spreads = draft.recursive === true && carried.includes('network') && fact.real !== null;
    if (spreads && (draft.op === 'write' || draft.op === 'create')) run.tainted.set(fact.real as string, carried);
  }
  return made.map((m) => m.fact);
}

/** What is deleted on another machine is a shared resource, but for its scratch directories. */
function applyRemoteDelete(run: Run, command: CommandDraft | null, draft: FileDraft, certain: boolean): void {
  if (/^\/(?:var\/)?tmp\/[^.]/.test(knownPrefix(draft.path))) return;
  const target = render(draft.path);
  const more = { recursive: draft.recursive ?? false, force: draft.force ?? false };
  applyEffect(
    run,
    command,
    { kind: 'infra-destroy', target, detail: `deletes ${target} on another machine`, ...more },
    certain,
  );
}

/** Who may log in, what runs by itself, the settings of the system: on another machine they are a shared resource. */
const STEERS = new Set(['authorized-keys', 'shell-startup', 'ssh-config', 'autostart', 'crontab']);

function applyChangeElsewhere(
  run: Run,
  command: CommandDraft | null,
  frame: Frame,
  draft: FileDraft,
  certain: boolean,
): void {
  // A log-in begins at home.
  const path = asHere(run, draft.path, run.world.home);
  if (path === null || isStandardStream(draft.path) || /^\/(?:var\/)?tmp\/[^.]/.test(knownPrefix(draft.path))) return;
  const target = render(draft.path);
  const steers =
    frame.elsewhere === 'remote' &&
    draft.op !== 'delete' &&
    (draft.op === 'move' ||
      (draft.op === 'chmod' && draft.recursive === true) ||
      run.world
        .files(['/'], { op: draft.op, path })
        .some(({ role, real }) => STEERS.has(role) || /^\/(?:etc|boot|usr|proc\/sys|sys)\//.test(real ?? '')));
  applyEffect(
    run,
    command,
    steers
      ? { kind: 'infra-apply', target, detail: `changes ${target} on another machine` }
      : { kind: 'elsewhere-change', target, detail: `changes ${target} elsewhere` },
    certain,
  );
}

/** What holds secrets here by its name holds them elsewhere too: `ssh host cat app/.env`, `docker exec db cat /run/secrets/x`. */
function applyReadElsewhere(run: Run, command: CommandDraft | null, draft: FileDraft, certain: boolean): void {
  const path = asHere(run, draft.path);
  if (path === null || !run.world.files(['/'], { op: 'read', path }).some((fact) => fact.secret === true)) return;
  const target = render(draft.path);
  applyEffect(run, command, { kind: 'secret-read', target, detail: `reads ${target} elsewhere` }, certain);
}

/** The same path as it would be called here: the home directory there is not known, what lies below it is. */
function asHere(run: Run, path: Value, from = ''): Value | null {
  const [first, next] = path;
  if (first === undefined) return null;
  const start = knownPrefix(path);
  const isHome = start === '' && typeof next === 'string' && next.startsWith('/');
  return isHome ? [run.world.home, ...path.slice(1)] : start.startsWith('/') ? path : [`${from}/`, ...path];
}

/** `/dev/stdout` and the like are the command's own descriptors, no files. */
function isStandardStream(path: Value): boolean {
  const text = textOf(path);
  return (
    text !== null &&
    (/^\/dev\/(?:stdin|stdout|stderr|tty|null|zero|full|u?random|ptmx)$/.test(text) ||
      /^(?:\/dev|\/proc\/self)\/fd\/\d+$/.test(text))
  );
}

/**
 * Elsewhere (another machine, a container) paths don't land here, but for directories of the host that the container
 * sees. Null: not here.
 */
function inThisFileSystem(frame: Frame, cwd: Value, draft: FileDraft): FileDraft | null {
  if (frame.elsewhere === '') return draft;
  const path = mounted(frame, cwd, draft.path);
  if (!path) return null;
  const to = draft.to ? mounted(frame, cwd, draft.to) : undefined;
  const { to: _, ...rest } = draft;
  return { ...rest, path, ...(to ? { to } : {}) };
}

function mounted(frame: Frame, cwd: Value, path: Value): Value | null {
  const start = knownPrefix(path);
  const absolute: Value = start.startsWith('/') ? path : [...cwd, '/', ...path];
  const written = textOf(absolute);
  const text = written === null ? null : posix.normalize(written);
  const head = text ?? knownPrefix(absolute);
  const mounts = [...frame.mounts].sort((a, b) => b.inside.length - a.inside.length);
  for (const { host, inside } of mounts) {
    const root = inside.replace(/\/+$/, '');
    if (head === root || head.startsWith(`${root}/`)) {
      const [first, ...rest] = text === null ? absolute : [text];
      return [...host, String(first).slice(root.length), ...rest].filter((p) => p !== '');
    }
  }
  if (!head.startsWith('/') && frame.mounts.length > 0) return [hole('a path in a container with host directories')];
  return null;
}

/** Records where data goes; what is tainted secret and sent is a secret that leaves. */
export function applyDest(
  run: Run,
  command: CommandDraft | null,
  draft: DestDraft,
  data: { readonly stream: readonly Taint[]; readonly words: readonly Taint[]; readonly contents?: readonly Taint[] },
  certain: boolean,
): void {
  const copied = draft.sends === 'file' && data.contents?.includes('secret') === true;
  const open =
    !draft.weighed &&
    (taintsOf(draft.address).includes('secret') ||
      (draft.sends === 'file' && mergeTaints(data.stream, data.words).includes('secret')) ||
      (draft.sends === 'text' && data.words.includes('secret')));
  const sends: Sends = open || copied ? 'secret' : draft.sends;
  const fact = run.world.dest({ ...draft, sends });
  addDest(run.record, command, { ...fact, certain: fact.certain && certain, command: command?.id ?? -1 });
}

/** Records an effect that is neither file nor destination. */
export function applyEffect(run: Run, command: CommandDraft | null, draft: EffectDraft, certain = true): void {
  // Packages, services and users of a container are the container's own.
  if (command?.frame.elsewhere === 'container' && /^(?:install-system|service|account)$/.test(draft.kind)) return;
  addEffect(run.record, command, {
    kind: draft.kind,
    target: draft.target ?? '',
    detail: draft.detail ?? '',
    force: draft.force ?? false,
    recursive: draft.recursive ?? false,
    certain: certain && draft.certain !== false,
    command: command?.id ?? -1,
  });
}
