import type { FileRole } from '../model/effect-kinds.ts';
import { EDITOR, REGISTRY_FILES, type Role, steersAgent } from './roles.ts';

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
 * which runs by itself, an editor's settings that let its agent act unasked. `before` null: absent or unknown.
 */
export function roleByContent(name: string, role: Role, before: string | null, after: string): FileRole {
  if (REGISTRY_FILES.has(name)) return addsStrangers(before, after) ? 'package-scripts' : (role as FileRole);
  if (role !== EDITOR) return name === 'package.json' && addsLifecycle(before, after) ? 'package-scripts' : role;
  return steersAgent(after) && !(before !== null && steersAgent(before)) ? 'agent-settings' : '';
}

/** A package source in such a file. */
const SOURCE =
  /^[ \t"']*(?:@[\w.-]+:)?(?:registry|npmRegistryServer|(?:extra-)?index-url)["']?[ \t]*[:=]?[ \t]*["']?(https?:\/\/[^\s"']+)/gim;
/** Public registries, those that belong to an account of the project, and this machine. */
const KNOWN_SOURCE =
  /^https:\/\/(?:[\w-]+\.)*(?:npmjs\.org|yarnpkg\.com|npmmirror\.com|pypi\.org|pythonhosted\.org|pkg\.github\.com|gitlab\.com|jsr\.io|jfrog\.io|pkg\.dev|visualstudio\.com|pkgs\.dev\.azure\.com|amazonaws\.com|cloudsmith\.io|fontawesome\.com|nvidia\.com|pytorch\.org)(?:\/|$)|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/i;

/** What makes packages come from elsewhere, each as it is written: unknown sources, another shell for scripts. */
function strangersIn(text: string): readonly string[] {
  const sources = [...text.matchAll(SOURCE)]
    .map((match) => match[1] as string)
    .filter((url) => !KNOWN_SOURCE.test(url));
  return [...sources, ...(text.match(/^[ \t]*script-shell[ \t]*=.*$/gm) ?? [])];
}

function addsStrangers(before: string | null, after: string): boolean {
  const old = strangersIn(before ?? '');
  return strangersIn(after).some((one) => !old.includes(one));
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
