import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { govPaths } from '../base/gov-paths.ts';
import { realFile } from '../register/files.ts';
import { compilePolicy, type SourceInput } from '../rulebook/compile.ts';
import type { Finding } from '../rulebook/finding.ts';
import { layersOf } from '../rulebook/layers.ts';

/** A file among the user's own rules that commands write: `waivers.yaml`, `modes.yaml`. */
export interface OwnFile {
  readonly path: string;
  /** Its text; '' where there is none. */
  read(): string;
  /** Writes it if the layers of this user compile with it; else gives back the faults that the text has. */
  save(text: string): readonly Finding[];
}

export function ownFile(name: string): OwnFile {
  const path = join(govPaths(process.env).config, 'rules', name);
  return {
    path,
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    save(text) {
      const { sources } = layersOf(govPaths(process.env));
      const own: SourceInput = { path, text, layer: 'user' };
      const { findings } = compilePolicy([...sources.filter((s) => s.path !== path), own]);
      const faults = findings.filter((f) => f.severity === 'error' && f.at.file === path);
      if (faults.length > 0) return faults;
      const target = realFile(path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      const next = `${target}.${process.pid}`;
      writeFileSync(next, text, { mode: 0o600 });
      renameSync(next, target);
      return [];
    },
  };
}
