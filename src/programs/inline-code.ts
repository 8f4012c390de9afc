import type { Part, Value } from '../model/value.ts';
import { invoke } from './inline/dispatch.ts';
import { findings } from './inline/findings.ts';
import { nodeLibrary } from './inline/library-node.ts';
import { otherLibraries } from './inline/library-other.ts';
import { perlLibrary } from './inline/library-perl.ts';
import { phpLibrary } from './inline/library-php.ts';
import { pythonLibrary } from './inline/library-python.ts';
import { rubyLibrary } from './inline/library-ruby.ts';
import { effect } from './inline/notes.ts';
import { print } from './inline/prints.ts';
import { walkText } from './inline/reader.ts';
import { noteCode } from './inline/runs.ts';
import type { CodeContext, CodeFindings, Library, Scan } from './inline/scan.ts';
import type { Language } from './inline/syntax.ts';
import { text as textThing, UNKNOWN } from './inline/thing.ts';

export type { CodeContext, CodeFindings, Language };

const libraries: Readonly<Record<Language, Library>> = {
  python: pythonLibrary,
  node: nodeLibrary,
  perl: perlLibrary,
  ruby: rubyLibrary,
  php: phpLibrary,
  ...otherLibraries,
};

/** Characters of program text that are scanned; longer text counts as opaque. */
const SCANNED = 256 * 1024;

/**
 * Searches program text for the calls that touch files, start programs, connect, run made-up code or print secrets.
 * It walks the text once as straight-line code with the literals, variables and small functions it can follow;
 * comments and text in strings are not code. Nothing found is certain, and code it does not understand stays quiet.
 * Never throws.
 */
export function scanCode(code: Value, language: Language, context: CodeContext): CodeFindings {
  const scan = newScan(language, context, code);
  if (code.length > 0 && code.every((p) => typeof p !== 'string')) {
    noteCode(scan, textThing(code));
    return findings(scan);
  }
  const source = language === 'php' ? phpOf(withPlaceholders(code)) : withPlaceholders(code);
  if (source.length > SCANNED) {
    effect(scan, 'exec-unknown', 'code longer than is analysed');
    return { ...findings(scan), opaque: true };
  }
  const result = walkText(scan, source);
  if (context.printsResult) print(scan, [result]);
  for (const own of [...scan.functions.values()]) {
    if (own.called) continue;
    own.called = true;
    invoke(scan, own.func, []);
  }
  return findings(scan);
}

function newScan(language: Language, context: CodeContext, code: Value): Scan {
  return {
    language,
    library: libraries[language],
    context,
    scopes: [new Map()],
    functions: new Map(),
    files: [],
    dests: [],
    effects: [],
    nested: [],
    printed: [],
    printTaints: new Set(),
    holes: code.filter((p): p is Exclude<Part, string> => typeof p !== 'string').slice(0, HOLES),
    looks: new Map(),
    calls: new Map(),
    branches: 0,
    directory: null,
    opaque: false,
    steps: 0,
    depth: 0,
    returned: UNKNOWN,
    iterated: UNKNOWN,
  };
}

/** What stands between `<?php` and `?>`; text without a tag is code (`php -r`). */
function phpOf(text: string): string {
  if (!/<\?(?:php|=)/.test(text)) return text;
  return text
    .split(/<\?(?:php\b|=)/)
    .slice(1)
    .map((piece) => piece.split('?>')[0])
    .join(';\n');
}

const HOLES = 6400;

/** The text with one private-use character for each unknown the shell put into it. */
function withPlaceholders(code: Value): string {
  let at = 0;
  let out = '';
  for (const part of code) {
    if (typeof part === 'string') out += part.replace(/[\ue000-\uf8ff]/g, '?');
    else out += String.fromCharCode(0xe000 + Math.min(at++, HOLES - 1));
  }
  return out.startsWith('#!') ? out.replace(/^[^\n]*/, '') : out;
}
