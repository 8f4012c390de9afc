import type { World } from '../model/world.ts';
import { isUnder, normalise, parentOf } from './paths.ts';

const SETTINGS = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.cursor/hooks.json',
  '.factory/hooks.json',
  '.factory/settings.json',
  '.windsurf/hooks.json',
  '.devin/hooks.v1.json',
];

const RUNNERS = /^(?:.*\/)?(?:env|node|bun|deno|tsx|python3?|uv|ruby|perl|php|sh|bash|zsh|dash|pwsh)$/;

/** Files in the workspace or the home directory that registered hooks run: who changes them changes the guard. */
export function registeredHookFiles(world: World): ReadonlySet<string> {
  const files = new Set<string>();
  for (const root of new Set([world.workspace, world.home]))
    for (const name of SETTINGS) {
      const file = `${root}/${name}`;
      if (world.kind(parentOf(file)) === 'none') continue;
      const text = world.readText(file);
      if (text === null || !text.includes('ommand')) continue;
      try {
        for (const command of commandsIn(JSON.parse(text), 0)) {
          const path = programFile(command, world);
          if (path !== null) files.add(path);
        }
      } catch {
        // Settings that don't parse register nothing.
      }
    }
  return files;
}

function* commandsIn(value: unknown, depth: number): Generator<string> {
  if (depth > 8 || value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'command' && typeof inner === 'string') yield inner;
    else yield* commandsIn(inner, depth + 1);
  }
}

/** The file a hook's command runs: its first word, or the first operand of an interpreter. */
function programFile(command: string, world: World): string | null {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  for (const word of words) {
    const plain = word.replace(/["']/g, '');
    if (RUNNERS.test(plain) || plain.startsWith('-') || /^\w+=/.test(plain)) continue;
    const text = plain
      .replace(
        /\$\{?(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|QWEN_PROJECT_DIR|FACTORY_PROJECT_DIR|PWD)\}?/g,
        world.workspace,
      )
      .replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, world.home);
    if (!text.includes('/') || text.includes('$')) return null;
    const path = normalise(text.startsWith('/') ? text : `${world.workspace}/${text}`);
    const known = isUnder(path, world.workspace) || isUnder(path, world.home);
    return known && !path.includes('/node_modules/') && world.kind(path) === 'file' ? path : null;
  }
  return null;
}

/** The directory of git hooks that `core.hooksPath` of the workspace's own repository names, or null (git-config(1)). */
export function hooksDirectory(world: World): string | null {
  const config = world.readText(`${world.workspace}/.git/config`);
  const named = config === null ? null : /^\s*hookspath\s*=\s*"?([^"#;\n]+?)"?\s*$/im.exec(config);
  if (!named) return null;
  const path = (named[1] as string).replace(/^~(?=\/)/, world.home);
  return normalise(path.startsWith('/') ? path : `${world.workspace}/${path}`);
}
