import { isDynamic, textOf } from '../../model/value.ts';
import type { Scan } from './scan.ts';
import { path as pathThing, type Thing, text, UNKNOWN, words } from './thing.ts';

/** `~` and `~/x` as a path below home; other text as it is. */
export function expandHome(scan: Scan, thing: Thing | undefined): Thing {
  if (!thing) return UNKNOWN;
  const all = words(thing, 'path computed by the program').map((value) => {
    const first = value[0];
    if (typeof first !== 'string' || !/^~(?=\/|$)/.test(first)) return pathThing(value);
    return pathThing([home(scan) + first.slice(1), ...value.slice(1)]);
  });
  return all.length === 1 ? (all[0] as Thing) : { k: 'any', of: all };
}

export function home(scan: Scan): string {
  const own = scan.context.env.get('HOME');
  return (own && textOf(own)) ?? scan.context.world.home;
}

/** A directory's entries: names below it. */
export function entriesOf(thing: Thing | undefined): Thing {
  const bases = words(thing, 'directory computed by the program');
  return {
    k: 'list',
    items: bases.map((b) =>
      pathThing([...(b.length > 0 ? b : ['.']), '/', { hole: 'name in a directory', like: 'name' as const }]),
    ),
  };
}

/** A directory's entries as bare names, without the directory. */
export function namesIn(): Thing {
  return { k: 'list', items: [text([{ hole: 'name in a directory', like: 'name' }])] };
}

/** What a glob pattern matches: the directory before its first wildcard, and a name below it. */
export function globbed(thing: Thing | undefined, scan?: Scan): Thing {
  const items = words(thing, 'pattern computed by the program').map((value): Thing => {
    const [start, ...rest] = value;
    if (typeof start !== 'string') return pathThing(value);
    const first = scan && /^~(?=\/|$)/.test(start) ? home(scan) + start.slice(1) : start;
    const wild = first.search(/[*?[{]/);
    if (wild < 0 && !rest.some((p) => typeof p === 'string' && /[*?[{]/.test(p))) return pathThing(value);
    const fixed = wild < 0 ? first : first.slice(0, wild);
    const slash = fixed.lastIndexOf('/');
    const directory = slash < 0 ? (isDynamic(value) && wild < 0 ? first : './') : fixed.slice(0, slash + 1);
    return pathThing([directory, { hole: 'name matched by a pattern', like: 'name' }]);
  });
  return { k: 'list', items };
}
