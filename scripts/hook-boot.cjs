'use strict';
// Becomes dist/hook.cjs. The bundle is pure ASCII, see scripts/build.mjs. Starts the bundle from V8's code cache where there is one for this very Node; V8 refuses a
// cache of another version, of other flags or of another source by itself, and then compiles as usual.
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const file = `${__dirname}/hook.bundle.js`;
let cachedData;
try {
  cachedData = readFileSync(`${__dirname}/hook.${process.version}-${process.arch}.cache`);
} catch {
  // None was made for this Node: slower, not different.
}
const script = new Script(
  readFileSync(file, 'latin1'),
  cachedData ? { filename: file, cachedData } : { filename: file },
);
script.runInThisContext()(exports, require, module, file, __dirname);
