// For the hook's bundle: puts a module in the place of src/programs/catalogue.ts that knows which family holds a name,
// and evaluates a family's module only when one of its programs is met. A call meets one or two families of seventy;
// evaluating all of them costs a third of a hook.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** An esbuild plugin. `dist/programs/` must be built: the names are read from it. */
export function lazyPrograms(root) {
  return {
    name: 'lazy-programs',
    setup(build) {
      build.onLoad({ filter: /src[\\/]programs[\\/]catalogue\.ts$/ }, async () => ({
        contents: await catalogue(root),
        resolveDir: join(root, 'src', 'programs'),
        loader: 'js',
      }));
    },
  };
}

async function catalogue(root) {
  const source = readFileSync(join(root, 'src', 'programs', 'families.ts'), 'utf8');
  const loaders = [];
  const names = [];
  const seen = new Set();
  for (const [, list, file] of source.matchAll(/^import \{ ([^}]+) \} from '\.\/([^']+)\.ts';$/gm)) {
    const module = await import(pathToFileURL(join(root, 'dist', 'programs', `${file}.js`)).href);
    const own = list
      .split(', ')
      .flatMap((name) => module[name])
      .flatMap((program) => program.names)
      .filter((name) => !seen.has(name));
    for (const name of own) {
      if (/\s/.test(name)) throw new Error(`the program name \`${name}\` in ${file}.ts holds white space`);
      seen.add(name);
    }
    loaders.push(
      `() => { const m = require('./${file}.ts'); return [${list
        .split(', ')
        .map((n) => `m.${n}`)
        .join(', ')}]; }`,
    );
    names.push(own.join(' '));
  }
  if (seen.size === 0) throw new Error('no program families were found in src/programs/families.ts');
  return `
const load = [${loaders.join(',\n')}];
const names = ${JSON.stringify(names)};
const made = new Map();
let familyOf = null;
function index() {
  if (familyOf) return familyOf;
  familyOf = new Map();
  for (let i = 0; i < names.length; i++) for (const name of names[i].split(' ')) familyOf.set(name, i);
  return familyOf;
}
export function programNamed(name) {
  const family = index().get(name);
  if (family === undefined) return undefined;
  if (!made.has(name))
    for (const list of load[family]())
      for (const program of list) for (const own of program.names) if (!made.has(own) && index().get(own) === family) made.set(own, program);
  return made.get(name);
}
export function programNames() {
  return [...index().keys()];
}
`;
}
