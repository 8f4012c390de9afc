// For the hook's bundle: puts a module in the place of src/programs/catalogue.ts that knows which family holds a name,
// and reads a family's piece only when one of its programs is met. A call meets one or two families of seventy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const pieceOf = (file) => `programs-${file}`;

/** What src/programs/families.ts collects: `[list of exported names, file]` each, in its order; and all as entry points. */
export function families(root) {
  const source = readFileSync(join(root, 'src', 'programs', 'families.ts'), 'utf8');
  const imports = [...source.matchAll(/^import \{ ([^}]+) \} from '\.\/([^']+)\.ts';$/gm)];
  const list = imports.map(([, names, file]) => ({ names: names.split(', '), file }));
  if (list.length === 0) throw new Error('no program families were found in src/programs/families.ts');
  return {
    list,
    entryPoints: Object.fromEntries(list.map(({ file }) => [pieceOf(file), `src/programs/${file}.ts`])),
  };
}

/** An esbuild plugin. `dist/programs/` must be built: the names are read from it. */
export function lazyPrograms(root) {
  return {
    name: 'lazy-programs',
    setup(build) {
      build.onLoad({ filter: /src[\\/]programs[\\/]catalogue\.ts$/ }, async () => ({
        contents: await catalogue(root),
        loader: 'js',
      }));
    },
  };
}

async function catalogue(root) {
  const known = [];
  const seen = new Set();
  for (const { names, file } of families(root).list) {
    const module = await import(pathToFileURL(join(root, 'dist', 'programs', `${file}.js`)).href);
    const own = names
      .flatMap((name) => module[name])
      .flatMap((program) => program.names)
      .filter((name) => !seen.has(name));
    for (const name of own) {
      if (/[\s|]/.test(name)) throw new Error(`the program name \`${name}\` in ${file}.ts holds white space`);
      seen.add(name);
    }
    known.push([pieceOf(file), names, own]);
  }
  // One text of all names is found through faster than a table of them is made: \n opens a family, with its number.
  const text = known.map(([, , own], i) => `\n${i} ${own.join(' ')} `).join('');
  return `
const families = ${JSON.stringify(known.map(([piece, names]) => [`${piece}.js`, names]))};
const text = ${JSON.stringify(text)};
const made = new Map();
function familyOf(name) {
  const at = name === '' || /\\s/.test(name) ? -1 : text.indexOf(' ' + name + ' ');
  if (at < 0) return -1;
  const line = text.lastIndexOf('\\n', at) + 1;
  return Number(text.slice(line, text.indexOf(' ', line)));
}
export function programNamed(name) {
  const known = made.get(name);
  if (known) return known;
  const family = familyOf(name);
  if (family < 0) return undefined;
  const [piece, lists] = families[family];
  const module = __gov_piece(piece);
  for (const list of lists)
    for (const program of module[list])
      for (const own of program.names) if (!made.has(own) && familyOf(own) === family) made.set(own, program);
  return made.get(name);
}
export function programNames() {
  return text.replace(/\\n\\d+ /g, '').split(' ').filter((name) => name !== '');
}
`;
}
