import type { Comparison, CompiledPolicy, CompiledRule, CompiledWaiver } from '../model/policy.ts';
import type { Exception } from './condition.ts';
import { compileGlobs } from './glob.ts';
import { type Scope, withBudget } from './scope.ts';

/** The one answer to "is this waiver live at time t": from its start up to, not including, its end. */
function isLive(waiver: { readonly notBefore: number; readonly expires: number }, now: number): boolean {
  return now >= waiver.notBefore && now < waiver.expires;
}

/** Id of the first live waiver that covers what the rule found; '' if none. A hard rule has none. */
export function waiverFor(
  rule: CompiledRule,
  exceptions: ReadonlyMap<string, Exception>,
  policy: CompiledPolicy,
  scope: Scope,
  now: number,
): string {
  if (rule.level === 'hard' || exceptions.size === 0) return '';
  for (const waiver of policy.waivers ?? [])
    if (waiver.rule === rule.id && isLive(waiver, now) && covers(waiver, exceptions.get(waiver.exception), scope))
      return waiver.id;
  return '';
}

function covers(waiver: CompiledWaiver, exception: Exception | undefined, scope: Scope): boolean {
  if (!exception) return false;
  const facts = new Map<string, unknown>();
  try {
    for (const [name, run] of exception.fields)
      facts.set(
        name,
        withBudget(scope, () => run(scope)),
      );
  } catch {
    return false;
  }
  return waiver.values.some((row) => {
    const names = Object.keys(row);
    return (
      names.length > 0 && names.every((n) => compare(facts.get(n), row[n], exception.comps[n] ?? 'eq', scope.home))
    );
  });
}

/** SECURITY: a field that is not known is covered by nothing. */
function compare(fact: unknown, value: string | readonly string[] | undefined, how: Comparison, home: string): boolean {
  if (fact === null || fact === undefined || value === undefined) return false;
  const text = String(fact);
  const values = typeof value === 'string' ? [value] : value;
  switch (how) {
    case 'eq':
    case 'in':
      return values.includes(text);
    case 'glob':
      return compileGlobs(values, home)(text);
    case 'under':
      return values.some((dir) => text === dir || text.startsWith(`${dir.replace(/\/$/, '')}/`));
    case 'cidr':
      return values.some((block) => inCidr(text, block));
  }
}

/** True if the IPv4 address lies in the block (`10.0.0.0/8`). */
function inCidr(address: string, block: string): boolean {
  const [base, bits] = block.split('/');
  const a = ipv4(address);
  const b = ipv4(base ?? '');
  const size = bits === undefined ? 32 : Number(bits);
  if (a === null || b === null || !(size >= 0 && size <= 32)) return false;
  const divisor = 2 ** (32 - size);
  return Math.floor(a / divisor) === Math.floor(b / divisor);
}

function ipv4(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4 || parts.some((p) => !/^\d{1,3}$/.test(p) || Number(p) > 255)) return null;
  return parts.reduce((n, p) => n * 256 + Number(p), 0);
}
