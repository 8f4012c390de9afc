import type { FileRole } from '../model/effect-kinds.ts';
import { nameOf } from './paths.ts';
import { EDITOR, type Role, steersAgent } from './roles.ts';
import type { SettingsReader } from './settings-code.ts';

// Scripts that npm, pnpm, yarn and bun run by themselves on install, pack or publish (npm docs, "scripts").
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
  'postpack',
  'prepublishonly',
  'dependencies',
  'pnpm:devpreinstall',
];

/**
 * The role that new content gives a file, where the path alone does not tell: a `package.json` that gains a script
 * which runs by itself, an editor's settings that let its agent act unasked. `settings`: what tells the strange things
 * in such a file, if it is one; `before` null: absent or unknown.
 */
export function roleByContent(
  path: string,
  settings: SettingsReader | null,
  role: Role,
  before: string | null,
  after: string,
): FileRole {
  if (settings) return addsStrangers(settings, before, after) ? 'package-scripts' : (role as FileRole);
  if (role !== EDITOR)
    return nameOf(path) === 'package.json' && addsLifecycle(before, after) ? 'package-scripts' : role;
  return steersAgent(after) && !(before !== null && steersAgent(before)) ? 'agent-settings' : '';
}

function addsStrangers(inText: SettingsReader, before: string | null, after: string): boolean {
  const old = inText(before ?? '');
  return inText(after).some((one) => !old.includes(one));
}

function addsLifecycle(before: string | null, after: string): boolean {
  const old = lifecycleOf(before ?? '');
  const now = lifecycleOf(after);
  for (const [name, script] of now) if (old.get(name) !== script && !isHarmless(script)) return true;
  return false;
}

/** Lifecycle scripts of a manifest, or of a fragment of one that does not parse. */
function lifecycleOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  try {
    const scripts: unknown = (JSON.parse(text) as { scripts?: unknown }).scripts;
    if (scripts !== null && typeof scripts === 'object')
      for (const [name, script] of Object.entries(scripts))
        if (LIFECYCLE.includes(name.toLowerCase())) found.set(name, String(script));
    return found;
  } catch {
    for (const m of text.matchAll(/"([\w:]{4,24})"\s*:\s*"((?:[^"\\]|\\.){0,2000})"/g))
      if (LIFECYCLE.includes((m[1] as string).toLowerCase())) found.set(m[1] as string, m[2] as string);
    return found;
  }
}

/** What projects ordinarily prepare with: installing git hooks of a known manager, building themselves. */
function isHarmless(script: string): boolean {
  return /^(?:husky(?: install)?|is-ci \|\| husky install|lefthook install|simple-git-hooks|(?:npm|pnpm|yarn|bun) run build|tsc(?: -p [\w./-]+)?|patch-package)$/.test(
    script.trim(),
  );
}
