// Part of the command line's bundle, see cli-bundle.mjs.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The URL of a module of gov, named from dist/ on, whichever chunk this function ended up in. */
export function placeOf(module) {
  const here = import.meta.url;
  return `${here.slice(0, here.lastIndexOf('/dist/'))}/dist/${module}`;
}

/** The directory of a module of gov, as a path. */
export function directoryOf(module) {
  return dirname(fileURLToPath(placeOf(module)));
}
