import type { Plugin } from 'esbuild';

export function families(root: string): {
  readonly list: readonly { readonly names: readonly string[]; readonly file: string }[];
  readonly entryPoints: Readonly<Record<string, string>>;
};
export function lazyPrograms(root: string): Plugin;
