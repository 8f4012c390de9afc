import { known, render, type Value } from '../model/value.ts';
import type { Language } from './inline-code.ts';

const READ = 8000;
const MOST = 8;

/** How a language names other files of the project in its code, and the files that such a name may stand for. */
const LOADS: Readonly<
  Partial<Record<Language, { readonly by: RegExp; readonly files: (name: string) => readonly string[] }>>
> = {
  python: {
    by: /(?:^|[;\n])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w.]+))/g,
    files: (name) => [`${name.replaceAll('.', '/')}.py`, `${name.replaceAll('.', '/')}/__init__.py`],
  },
  node: {
    by: /\b(?:require\(|import\(|from|import)[ \t]*["'](\.{1,2}\/[\w./-]+)["']/g,
    files: (name) => [name, ...['.js', '.mjs', '.cjs', '.ts', '/index.js'].map((end) => `${name}${end}`)],
  },
  ruby: { by: /\brequire_relative[ \t(]*["']([\w./-]+)["']/g, files: (name) => [name, `${name}.rb`] },
};

/** For each module that program text loads from beside it: the files that may be meant, most likely first. */
export function localModules(language: Language, code: Value): readonly (readonly Value[])[] {
  const loads = LOADS[language];
  const text = loads ? render(code) : '';
  if (!loads || text.length > READ) return [];
  const names = [...text.matchAll(loads.by)].map((match) => (match[1] ?? match[2]) as string);
  return [...new Set(names)].slice(0, MOST).map((name) => loads.files(name).map(known));
}
