import type { CelArg, CelNode, CompiledRule } from '../model/policy.ts';

/** What more entries in a list do to a condition: make it true more often, less often, or that can't be told. */
type Sign = 'more' | 'less' | 'either';

/** Arguments of these functions grow with their lists. */
const GROWING = new Set(['matchesAny', 'touches', 'inDomain']);

/**
 * Id of a rule that more entries in the list could make milder; '' if there is none. `isList` tells the list (or the
 * parameter) apart from others in an expression.
 */
export function loosenedRule(rules: Iterable<CompiledRule>, isList: (node: CelNode) => boolean): string {
  for (const rule of rules) {
    const stricter: Sign = rule.effect === 'allow' ? 'less' : 'more';
    const fires = [rule.when, ...(rule.sequence?.steps.map((s) => s.when) ?? [])];
    const holds = rule.requires ? [rule.requires] : [];
    const excuses = Object.values(rule.exceptions ?? {}).flatMap((e) => Object.values(e.fields));
    if (fires.some((e) => isMilder(e.root, isList, stricter))) return rule.id;
    if (holds.some((e) => isMilder(e.root, isList, opposite(stricter)))) return rule.id;
    if (excuses.some((e) => signs(e.root, 'more', isList).size > 0)) return rule.id;
  }
  return '';
}

function isMilder(root: CelNode, isList: (node: CelNode) => boolean, stricter: Sign): boolean {
  return [...signs(root, 'more', isList)].some((sign) => sign !== stricter);
}

function opposite(sign: Sign): Sign {
  return sign === 'more' ? 'less' : sign === 'less' ? 'more' : 'either';
}

/** How the list bears on the expression at each place where it occurs. */
function signs(root: CelNode, sign: Sign, isList: (node: CelNode) => boolean): ReadonlySet<Sign> {
  const found = new Set<Sign>();
  const visit = (node: CelArg, at: Sign): void => {
    if (!isNode(node)) return;
    if (isList(node)) {
      found.add(at);
      return;
    }
    const [op, ...args] = node;
    switch (op) {
      case 'v':
        return;
      case '!':
        visit(args[0] ?? null, opposite(at));
        return;
      case '&&':
      case '||':
        for (const arg of args) visit(arg, at);
        return;
      case '?:':
        visit(args[0] ?? null, 'either');
        visit(args[1] ?? null, at);
        visit(args[2] ?? null, at);
        return;
      case 'in':
        visit(args[0] ?? null, 'either');
        visit(args[1] ?? null, at);
        return;
      case 'let':
        // A list that was given to a macro is followed no further.
        visit(args[1] ?? null, 'either');
        visit(args[2] ?? null, at);
        return;
      case 'exists':
        visit(args[1] ?? null, at);
        visit(args[2] ?? null, at);
        return;
      case 'all':
        visit(args[1] ?? null, opposite(at));
        visit(args[2] ?? null, at);
        return;
      case 'call': {
        const known = GROWING.has(String(args[0]));
        args.slice(1).forEach((arg, i) => {
          visit(arg, known && i === 1 ? at : 'either');
        });
        return;
      }
      default:
        for (const arg of args) visit(arg, 'either');
    }
  };
  visit(root, sign);
  return found;
}

function isNode(arg: CelArg): arg is CelNode {
  return Array.isArray(arg) && typeof arg[0] === 'string';
}
