import { genesisOf } from '../format/chain.ts';
import { schemaObjects } from '../format/schema.ts';
import type { Connection } from '../write/database.ts';

/**
 * Runs `use` with the named triggers away, and puts back exactly those that belong there. INVARIANT: only within a write
 * transaction, so that no other process ever sees the store without its guards, whatever happens in between.
 */
export function unguarded(db: Connection, triggers: readonly string[], use: () => void): void {
  if (!db.inTransaction) throw new TypeError('guards go away only within a transaction');
  const chain = db.prepare("SELECT value FROM meta WHERE key = 'chain'").pluck().get();
  const objects = schemaObjects(genesisOf(String(chain)));
  for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
  use();
  for (const name of triggers) db.exec(objects.get(name) ?? '');
}
