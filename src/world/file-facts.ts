import { LIMITS } from '../base/limits.ts';
import type { FileDraft, FileOp, Reversible } from '../model/effect.ts';
import type { FileRole } from '../model/effect-kinds.ts';
import type { FileFact } from '../model/facts.ts';
import { ANY_REPOSITORY_FILE, render, taintsOf, textOf, type Value } from '../model/value.ts';
import type { World } from '../model/world.ts';
import { roleByContent } from './content-role.ts';
import { isKeptData } from './derived.ts';
import { expand } from './globs.ts';
import type { View } from './layers.ts';
import { nameOf, parentOf } from './paths.ts';
import { inWorkspace, type Places } from './places.ts';
import { type Located, locate } from './resolve.ts';
import { EDITOR, isAgentDir, type Role } from './roles.ts';
import { settingsThatRun } from './settings-code.ts';
import { mayBeSettings } from './settings-names.ts';
import { databasesIn, readsLogins } from './within.ts';
import type { Standing } from './zones.ts';

/** What is needed to see a draft as a fact. */
export interface FileSight {
  readonly view: View;
  readonly world: World;
  readonly at: Places;
  stand(path: string): Standing;
  /** In another work tree of the same repository. */
  inOtherTree(path: string): boolean;
}

const CONTENT_CHARS = 20_000;
/** unlink(2), rename(2) and symlink(2) act on a link itself. */
const ON_ITSELF: ReadonlySet<FileOp> = new Set<FileOp>(['delete', 'move', 'link']);
const MAY_LOSE: ReadonlySet<FileOp> = new Set<FileOp>(['delete', 'move']);

/** One draft as facts: itself, and for a pattern each file that it matches. */
export function fileFacts(cwd: Value, draft: FileDraft, sight: FileSight): readonly FileFact[] {
  const follow = draft.follow ?? !ON_ITSELF.has(draft.op);
  const found = locate(cwd, draft.path, follow, sight.view);
  const written = render(draft.path);
  if (!found.glob) {
    const whole = fact(cwd, draft, written, found, sight);
    const { recursive: _, ...one } = draft;
    const inside = databasesIn(draft, whole, sight.view, sight.at).map((path) =>
      fact(cwd, one, path, locate(cwd, [path], false, sight.view), sight),
    );
    return [whole, ...inside];
  }

  const matches = expand(cwd, draft.path, sight.view, sight.world.partial ?? false);
  const pattern = fact(cwd, draft, written, found, sight);
  if (!matches) return [pattern];
  const hits = matches.paths.map((path) => fact(cwd, draft, path, locate(cwd, [path], follow, sight.view), sight));
  const guessed = matches.guesses
    .map((path) => fact(cwd, draft, path, locate(cwd, [path], follow, sight.view), sight))
    .filter((f) => f.zone !== pattern.zone || f.role !== pattern.role);
  const reversible = matches.complete && hits.length > 0 ? worst(hits.map((h) => h.reversible)) : pattern.reversible;
  return [{ ...pattern, reversible }, ...hits.slice(0, LIMITS.unroll), ...guessed];
}

/** Names that are secrets in whatever home directory they lie. */
const SECRET_TAIL =
  /(?:^|\/)(\.(?:(?:ssh|gnupg|aws|kube|azure|password-store|config\/gcloud)\/.+|netrc|git-credentials|pgpass|vault-token|docker\/config\.json))$/i;

/** `$X/.ssh/id_rsa` is a key wherever X lies; of other paths that are not known nothing is said. */
function secretAnywhere(draft: FileDraft, sight: FileSight): true | null {
  const end = draft.path.at(-1);
  const tail = draft.op === 'read' && typeof end === 'string' ? SECRET_TAIL.exec(end) : null;
  return tail && sight.stand(`${sight.world.home}/${tail[1] as string}`).secret ? true : null;
}

function fact(cwd: Value, draft: FileDraft, written: string, found: Located, sight: FileSight): FileFact {
  const whole = found.at !== null && !found.open && !losesAny(draft);
  // Holes of which the shape is known make a pattern: one name, whichever it is.
  const real = whole ? found.at : null;
  const glob = found.glob || (whole && found.vague);
  const open = found.at !== null && found.open ? sight.stand(found.at) : null;
  const standing = whole ? judged(draft, found.at as string, sight) : null;
  const zone = standing?.zone ?? (open?.zone === 'temp' ? 'temp' : null);
  const kind = real === null || glob ? null : sight.view.kind(real);
  const exists = kind === null ? null : kind !== 'none';
  const text = draft.content ? textOf(draft.content) : null;
  const other = draft.to ? otherEnd(cwd, draft, { real, glob }, sight) : undefined;
  return {
    op: draft.op,
    path: written,
    real,
    zone,
    role: standing?.role ?? '',
    in_workspace: standing ? standing.inWorkspace : zone === 'temp' ? false : null,
    exists,
    is_dir: kind === null ? null : kind === 'dir',
    tracked: real !== null && MAY_LOSE.has(draft.op) && !glob ? sight.world.tracked(real) : null,
    reversible: reversibility(draft, real, zone, sight),
    recursive: draft.recursive ?? false,
    force: draft.force ?? false,
    contents_only: draft.contentsOnly ?? false,
    partial: draft.partial ?? false,
    glob,
    secret: standing
      ? standing.secret || (real !== null && !glob && (sight.view.carries(real) || readsLogins(draft, real, sight.at)))
      : zone === 'temp'
        ? false
        : secretAnywhere(draft, sight),
    added: draft.added ?? 0,
    removed: draft.removed ?? 0,
    content: text !== null && text.length <= CONTENT_CHARS ? text : '',
    mode: draft.mode ?? '',
    via: [],
    ...(other !== undefined ? { to: other } : {}),
    reason: real === null ? found.reason : '',
    certain: draft.certain ?? true,
    command: -1,
  };
}

function losesAny(draft: FileDraft): boolean {
  return (
    MAY_LOSE.has(draft.op) &&
    draft.path.some((p) => typeof p !== 'string' && 'hole' in p && p.hole === ANY_REPOSITORY_FILE)
  );
}

/** The standing of a place, seen with what is done there. */
function judged(draft: FileDraft, path: string, sight: FileSight): Standing & { readonly role: FileRole } {
  const plain = sight.stand(path);
  // Making or reading an agent's directory is nothing; removing, moving or replacing it disarms the agent's hooks.
  if (
    plain.role === 'hook-settings' &&
    isAgentDir(path) &&
    (draft.op === 'create' || draft.op === 'read' || draft.op === 'list' || draft.op === 'exec')
  )
    return { ...plain, role: '', zone: sight.stand(`${path}\u0001`).zone };
  if (MAY_LOSE.has(draft.op) && !draft.contentsOnly && (sight.at.temp.includes(path) || path === '/dev/null'))
    return { ...plain, role: '', zone: path === '/dev/null' ? 'device' : 'system' };
  // A lock that git left behind when it was stopped is removed by hand; that is what git tells people to do.
  if (draft.op === 'delete' && plain.zone === 'vcs' && /\/\.git\/(?:[^/]+|refs\/.+)\.lock$/.test(path))
    return { ...plain, role: '', zone: 'workspace' };
  // Work in another tree of the repository is work on the project; what is lost there is still outside.
  if ((plain.zone === 'home' || plain.zone === 'outside') && !MAY_LOSE.has(draft.op) && sight.inOtherTree(path))
    return { ...plain, role: roleFor(draft, path, plain.role, sight), zone: 'workspace', inWorkspace: true };
  const role = roleFor(draft, path, plain.role, sight);
  return { ...plain, role, zone: role === 'agent-settings' ? 'guard' : plain.zone };
}

function roleFor(draft: FileDraft, path: string, role: Role, sight: FileSight): FileRole {
  const name = nameOf(path);
  const settings = mayBeSettings(path) && inWorkspace(path, sight.at) ? settingsThatRun(path) : null;
  const tells = name === 'package.json' || settings !== null;
  if (!tells && role !== EDITOR) return role as FileRole;
  const fixed = role === EDITOR ? '' : role;
  if (tells && comesFromElsewhere(draft, sight)) return 'package-scripts';
  if ((draft.op !== 'write' && draft.op !== 'create') || path.includes('/node_modules/')) return fixed;
  const text = draft.content ? textOf(draft.content) : null;
  if (text === null) return role === EDITOR ? 'agent-settings' : role;
  const old = sight.view.content(path)?.value;
  return roleByContent(path, settings, role, old ? textOf(old) : null, text);
}

/** Settings whose text is from the network or a decoder, or that are a link out of the project: nobody has seen them. */
function comesFromElsewhere(draft: FileDraft, sight: FileSight): boolean {
  if (draft.op === 'link') {
    const to = draft.to ? textOf(draft.to) : null;
    return to !== null && /^[/~]/.test(to) && !inWorkspace(to, sight.at);
  }
  const taints = draft.op === 'write' && draft.content ? taintsOf(draft.content) : [];
  return taints.includes('network') || taints.includes('decoded');
}

/** Where a link points or a move goes; of a pattern, the pattern of where all of it goes. */
function otherEnd(
  cwd: Value,
  draft: FileDraft,
  { real, glob }: Pick<FileFact, 'real' | 'glob'>,
  sight: FileSight,
): string | null {
  const to = draft.to as Value;
  const symbolic = draft.op === 'link' && !draft.hard;
  const from: Value | null = symbolic ? (real === null ? null : [parentOf(real)]) : cwd;
  if (from === null) return null;
  const found = locate(from, to, draft.op === 'link', sight.view);
  return found.open || found.vague || (found.glob && !glob) ? null : found.at;
}

function reversibility(draft: FileDraft, real: string | null, zone: FileFact['zone'], sight: FileSight): Reversible {
  if (zone === 'temp') return 'scratch';
  if (real === null) return 'unknown';
  // What else is overwritten is a matter of the work tree; data is not in it.
  const overwrites = (draft.op === 'write' || draft.op === 'link') && isKeptData(real);
  if (!MAY_LOSE.has(draft.op) && !overwrites) return 'unknown';
  return sight.view.fresh(real) ? 'scratch' : sight.world.reversible(real);
}

const BEST_FIRST: readonly Reversible[] = ['scratch', 'derived', 'tracked', 'unknown', 'no'];

function worst(all: readonly Reversible[]): Reversible {
  return all.reduce((a, b) => (BEST_FIRST.indexOf(a) >= BEST_FIRST.indexOf(b) ? a : b), 'scratch');
}
