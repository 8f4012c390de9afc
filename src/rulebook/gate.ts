import { GovError } from '../base/errors.ts';
import { suggestion } from './finding.ts';

const TERM = /^\s*([a-z_]+)\s*(<=|>=|==|!=|<|>)\s*(\d+(?:\.\d+)?)(%?)\s*$/;

/** How people also call a count. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['new_denies', 'newly_denied'],
  ['new_asks', 'newly_asked'],
  ['new_allows', 'newly_allowed'],
]);

/**
 * Is `newly_denied == 0 && stricter < 5%` true of the counts? A percentage is of `decided`. Throws GovError
 * `usage-gate` on anything else.
 */
export function passesGate(expression: string, counts: Readonly<Record<string, number>>): boolean {
  return expression.split('&&').every((term) => {
    const match = TERM.exec(term);
    const [, name = '', op = '', number = '', percent] = match ?? [];
    const value = counts[name] ?? counts[SHORT.get(name) ?? ''];
    if (!match || value === undefined)
      throw new GovError({
        code: 'usage-gate',
        message: match ? `there is no count \`${name}\`` : `\`${term.trim()}\` is not of the form \`count < number\``,
        help: match
          ? suggestion(name, Object.keys(counts)) || `one of ${Object.keys(counts).join(', ')}`
          : 'for example --gate "newly_denied == 0 && stricter < 5%"',
      });
    const left = percent ? (100 * value) / Math.max(1, counts['decided'] ?? 1) : value;
    const right = Number(number);
    switch (op) {
      case '<':
        return left < right;
      case '<=':
        return left <= right;
      case '>':
        return left > right;
      case '>=':
        return left >= right;
      case '==':
        return left === right;
      default:
        return left !== right;
    }
  });
}
