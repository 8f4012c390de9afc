import { type ParsedScript, parse } from 'unbash';
import { messageOf } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Run } from './run.ts';
import type { Source } from './source.ts';

const CACHED_CHARS = 2048;

/** Parses text that does not stand in the call itself (eval, -c, scripts). The same short text is parsed once. */
export function parseShell(run: Run, text: string): { readonly script: ParsedScript; readonly source: Source } {
  const before = text.length <= CACHED_CHARS ? run.parsed.get(text) : undefined;
  const script = before ?? parseSafely(text);
  if (!before && text.length <= CACHED_CHARS) run.parsed.set(text, script);
  return { script, source: { text, base: null } };
}

/** The tolerant tree; a fault of the parser itself becomes a parse error. */
export function parseSafely(text: string): ParsedScript {
  const broken = (message: string): ParsedScript => ({
    type: 'Script',
    pos: 0,
    end: text.length,
    shebang: undefined,
    commands: [],
    errors: [{ message, pos: 0 }],
  });
  if (text.length > LIMITS.shellChars) return broken('longer than is analysed');
  try {
    return parse(text);
  } catch (error) {
    return broken(`the parser failed: ${messageOf(error)}`);
  }
}
