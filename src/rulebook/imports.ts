import { readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { Placed, SourceInput } from './documents.ts';
import { type Finding, suggestion } from './finding.ts';
import { findingAt, rangeOf } from './source.ts';

/** What policy sets import. */
export interface Imports {
  /** The files that were given, then those that were read because a set imports them. */
  readonly sources: readonly SourceInput[];
  readonly documents: readonly Placed[];
  /** Policy sets that a set builds on, in the order in which it names them. */
  readonly bases: ReadonlyMap<Placed, readonly Placed[]>;
  /** Packs and libraries that a set takes by name, whoever they are made for. */
  readonly taken: ReadonlyMap<Placed, readonly string[]>;
}

interface Given {
  readonly sources: readonly SourceInput[];
  /** All documents of a file. */
  readonly read: (source: SourceInput) => readonly Placed[];
  readonly findings: Finding[];
}

/**
 * Follows `imports` of policy sets: other files below the directory of the importing one, and `builtin:NAME`.
 * SECURITY: the files of a layer were all looked at for whose they are; there an import reads no further file.
 */
export function followImports({ sources, read, findings }: Given): Imports {
  const known = new Map(sources.map((source) => [resolve(source.path), source]));
  const bases = new Map<Placed, readonly Placed[]>();
  const taken = new Map<Placed, readonly string[]>();
  const builtin = sources.filter((s) => s.layer === 'builtin').flatMap(read);
  const follow = (doc: Placed, above: readonly Placed[]): void => {
    const names = (doc.data?.['imports'] ?? []) as readonly string[];
    const sets: Placed[] = [];
    const packs: string[] = [];
    if (names.length === 0 || bases.has(doc)) return;
    bases.set(doc, sets);
    taken.set(doc, packs);
    names.forEach((name, i) => {
      const fault = (code: string, message: string, help = ''): void => {
        const [start, end] = rangeOf(doc, ['imports', i]);
        findings.push(findingAt(doc.file, start, end, code, message, help));
      };
      const found = name.startsWith('builtin:') ? named(name, builtin, fault) : fileOf(name, doc, known, fault);
      if (found === null) return;
      const docs = 'path' in found ? read(found) : [found];
      if ('path' in found) known.set(resolve(found.path), found);
      else if (!isSet(found)) packs.push(nameOf(found));
      for (const base of docs.filter(isSet)) {
        if ([...above, doc].includes(base))
          fault('import-cycle', `\`${name}\` imports this set again`, 'take one of the two out');
        else {
          sets.push(base);
          follow(base, [...above, doc]);
        }
      }
    });
  };
  for (const doc of sources.flatMap(read).filter(isSet)) follow(doc, []);
  const all = [...known.values()];
  return { sources: all, documents: all.flatMap(read), bases, taken };
}

type Fault = (code: string, message: string, help?: string) => void;

function isSet(doc: Placed): boolean {
  return doc.data?.['kind'] === 'PolicySet' && doc.layer !== 'project';
}

function nameOf(doc: Placed): string {
  const metadata = doc.data?.['metadata'] as { readonly name?: string } | undefined;
  return String(doc.data?.['name'] ?? metadata?.name ?? '');
}

function named(name: string, builtin: readonly Placed[], fault: Fault): Placed | null {
  const wanted = name.slice('builtin:'.length);
  const found = builtin.find((doc) => nameOf(doc) === wanted && wanted !== '');
  if (found) return found;
  const names = builtin.map(nameOf).filter((n) => n !== '');
  fault('import-missing', `there is no built-in pack or policy set \`${wanted}\``, suggestion(wanted, names));
  return null;
}

function fileOf(name: string, doc: Placed, known: ReadonlyMap<string, SourceInput>, fault: Fault): SourceInput | null {
  const missing = (why: string): null => {
    fault('import-missing', `\`${name}\` can't be imported: ${why}`, 'names are relative to this file');
    return null;
  };
  const dir = resolve(dirname(doc.file.path));
  const path = resolve(dir, name);
  if (isAbsolute(name) || !isBelow(path, dir)) {
    fault('import-outside', `\`${name}\` lies outside the directory of this file`, 'move it beside or below this file');
    return null;
  }
  const given = known.get(path);
  if (given) return given;
  if (!/\.ya?ml$/.test(name)) return missing('a policy file ends with `.yaml`');
  if (doc.given) return missing('it is not among the files of this layer');
  try {
    if (!isBelow(realpathSync(path), realpathSync(dir))) {
      fault('import-outside', `\`${name}\` leads outside the directory of this file`, 'put the file itself there');
      return null;
    }
    return { path: relative(process.cwd(), path) || path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return missing(code === 'ENOENT' ? 'there is no such file' : messageOf(error));
  }
}

function isBelow(path: string, dir: string): boolean {
  return path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}
