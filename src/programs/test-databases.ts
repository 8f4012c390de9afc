import type { Invocation } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import { contentOf } from './streams.ts';

const NAME = /^(?:[\w.-]*[_-])?(?:tests?|testing|scratch|te?mp)(?:[_-]?\d{1,4})?$|^(?:test|scratch|te?mp)[_-][\w-]+$/i;
const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\[::1\]|0\.0\.0\.0|\/[\w./-]*|)$/;
/** Names that say otherwise, whatever stands beside them. */
const LIVE = /prod|live|staging|master|main/i;

/**
 * True for a database that tests fill anew each time, on this machine: `app_test`, `test_orders`,
 * `postgres://localhost/app_test`. A name that is not known, or a server elsewhere, is none.
 */
export function isTestDatabase(inv: Invocation, database: Value | null | undefined, host?: Value | null): boolean {
  const text = database ? textOf(database) : null;
  if (text === null || text === '') return false;
  if ((host && !HERE.test(textOf(host) ?? '?')) || !isHere(inv)) return false;
  const url = /^[a-z][a-z0-9+]*:\/\/(?:[^@/]*@)?([^/:?]*|\[[^\]]*\])(?::\d+)?\/([^?/]*)/i.exec(text);
  if (url) return HERE.test(url[1] as string) && isTestName(url[2] as string);
  return isTestName(text);
}

function isTestName(name: string): boolean {
  return NAME.test(name) && !LIVE.test(name);
}

/** False if the environment names another server, or one that is not known. */
function isHere(inv: Invocation): boolean {
  for (const name of ['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'MYSQL_HOST']) {
    const set = inv.env.get(name);
    if (
      set
        ? !HERE.test(textOf(set) ?? '?') || (name === 'PGSERVICE' && word(set) !== '')
        : !HERE.test(inv.world.env(name) ?? '')
    )
      return false;
  }
  return true;
}

/** Words by which SQL reaches beyond the database it is connected to; in MySQL a dot in a name does too. */
const BEYOND = /\\c(?:onnect)?\b|\\u\b|\b(?:USE|DATABASE|ROLE|USER|GROUP|TABLESPACE|SERVER|SYSTEM|dblink\w*)\b/i;

/** True if all that SQL says stays within the database it is connected to. */
export function staysInside(
  inv: Invocation,
  client: 'psql' | 'mysql',
  texts: readonly Value[],
  files: readonly Value[],
): boolean {
  const streams = [...files.map((file) => contentOf(inv, file).value), inv.stdinIsOpen ? null : inv.stdin.value];
  const all = [...texts, ...streams.filter((value) => value !== null)].map(render);
  return all.every((text) => !BEYOND.test(text) && (client === 'psql' || !/[\w`]\s*\.\s*[\w`]/.test(text)));
}
