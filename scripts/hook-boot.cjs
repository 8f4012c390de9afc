'use strict';
// Becomes dist/hook.cjs, with INDEX filled in by scripts/hook-bundle.mjs. dist/hook.bundle.js holds the program in
// pieces, one behind the other and all ASCII: the core, which is a table of modules, and modules that are read when
// they are first asked for. Each piece starts from V8's code cache where there is one for this very Node
// (src/register/code-cache.ts makes it); V8 refuses a cache of another version, of other flags or of another source by
// itself, and then compiles as usual.
const { openSync, readSync } = require('node:fs');
const { Script } = require('node:vm');

/** What this bundle is called, and for each piece by name: its number, where it starts, and its length. */
const [BUILD, INDEX] = /* INDEX */ ['', {}];
const HEAD = 16;

/** What was read last lies here: memory that is touched for the first time costs more than what is read into it. */
let scratch = Buffer.alloc(0);

const bundle = openSync(`${__dirname}/hook.bundle.js`);
const cached = openCache(`${__dirname}/hook.${process.version}-${process.arch}.cache`);
const loaded = Object.create(null);
// One read of standard input at a time is all that Node's pool of threads has to do.
process.env.UV_THREADPOOL_SIZE = '1';
const place = {
  dir: __dirname,
  get url() {
    return require('node:url').pathToFileURL(__filename).href;
  },
};
const now = () => process.uptime() * 1000;
/** The maker of the cache is told of each script. */
const maker = globalThis[Symbol.for('gov.code-cache')]?.(BUILD, Object.keys(INDEX), scriptOf);

function room(length) {
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length);
}

/** A stretch of a file, in memory that the next one is read into. */
function bytes(fd, start, length) {
  room(length);
  if (readSync(fd, scratch, 0, length, start) !== length)
    throw new Error('a file of the hook is cut off: reinstall gov');
  return scratch.subarray(0, length);
}

/** The cache's file descriptor and where its pieces lie: the name of its bundle, then the start and length of each. */
function openCache(file) {
  try {
    const fd = openSync(file);
    const head = bytes(fd, 0, HEAD + 8 * Object.keys(INDEX).length);
    if (head.latin1Slice(0, HEAD) !== BUILD) return null;
    return { fd, at: new Uint32Array(head.buffer.slice(head.byteOffset + HEAD, head.byteOffset + head.length)) };
  } catch {
    // None was made for this Node: slower, not different.
    return null;
  }
}

function scriptOf(name) {
  const [number, start, length] = INDEX[name];
  const filename = `${__dirname}/hook.bundle.js#${name}`;
  const size = cached ? cached.at[2 * number + 1] : 0;
  room(Math.max(length, size));
  const source = bytes(bundle, start, length).latin1Slice(0, length);
  const options = size === 0 ? { filename } : { filename, cachedData: bytes(cached.fd, cached.at[2 * number], size) };
  const script = new Script(source, options);
  maker?.(name, script);
  return script;
}

const core = scriptOf('core').runInThisContext();

function piece(name) {
  const known = loaded[name];
  if (known) return known.exports;
  const own = { exports: {} };
  loaded[name] = own;
  const run = core[name] ?? scriptOf(name).runInThisContext();
  run(own.exports, need, own, place, now, piece, pick);
  return own.exports;
}

function need(name) {
  return name.startsWith('./') ? piece(name.slice(2)) : require(name);
}

/** A module of Node, or one of its exports. */
function pick(name, own) {
  return own === undefined ? require(name) : require(name)[own];
}

module.exports = piece('main.js');
