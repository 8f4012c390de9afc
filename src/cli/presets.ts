import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Names of the presets that this installation holds a compiled policy for; `recommended` first. */
export function builtPresets(): readonly string[] {
  const dir = fileURLToPath(new URL('../policy', import.meta.url));
  const names = existsSync(dir) ? readdirSync(dir).flatMap((name) => /^([a-z-]+)\.json$/.exec(name)?.[1] ?? []) : [];
  return names.sort((a, b) => Number(b === 'recommended') - Number(a === 'recommended') || (a < b ? -1 : 1));
}
