import { type ParsedScript, parse } from 'unbash';
import { messageOf } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Run } from './run.ts';
import type { Source } from './source.ts';

const CACHED_CHARS = 2048;

/** Parses text that does not stand in the call itself (eval, -c, scripts). The same short text is parsed once. */
export function parseShell(run: Run, text: string): { readonly script: ParsedScript; readonly source: Source } {
  const before = text.length <= CACHED_CHARS ? run.parsed.get(text) : undefined;
  const script = before ?? parseSafely(run, text);
  if (!before && text.length <= CACHED_CHARS) run.parsed.set(text, script);
  return { script, source: { text, base: null } };
}

/** The tolerant tree; a fault of the parser itself becomes a parse error. */
export function parseSafely(run: Run, text: string): ParsedScript {
  const broken = (message: string): ParsedScript => ({
    type: 'Script',
    pos: 0,
    end: text.length,
    shebang: undefined,
    commands: [],
    errors: [{ message, pos: 0 }],
  });
  if (text.length > LIMITS.shellChars) return broken('longer than is analysed');
  run.parameterChars += parameterScans(text);
  if (run.parameterChars > PARAMETER_CHARS) return broken('nested deeper than is analysed');
  try {
    return parse(text);
  } catch (error) {
    return broken(`the parser failed: ${messageOf(error)}`);
  }
}

/** Depth to which the parser follows nested syntax. */
const PARSER_DEPTH = 256;
/** Below this length even the deepest nesting is parsed in no time. */
const SCANNED_FROM = 4096;
/** Characters that the parser may look at for nested `${…}`, each level anew: some two seconds. */
const PARAMETER_CHARS = 64 * 1024 * 1024;

/**
 * An upper bound for the characters that the parser looks at when the parts of a word with nested `${…}` are asked for:
 * it does so all at once, and scans the rest of the word again at each level. Those that hold no other expansion, brace
 * or quote do not nest.
 */
function parameterScans(text: string): number {
  if (text.length < SCANNED_FROM) return 0;
  let opened = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) opened++;
  if (opened < 2) return 0;
  const plain = text.match(/\$\{[^{}'"\\`$]*\}/g)?.length ?? 0;
  return Math.min(opened - plain, PARSER_DEPTH) * text.length;
}
