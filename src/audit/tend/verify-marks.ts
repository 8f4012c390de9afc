import type { Store } from '../read/store.ts';
import type { Finding } from './verify-rows.ts';

interface Row {
  readonly seq: number;
  readonly rule: string;
  readonly key: string;
  readonly step: string;
  readonly at: number;
}

/** Findings that are told one by one. */
const MOST = 20;

/**
 * Whether each mark that establishes or ends evidence is one of the record that it names: whoever writes into the table
 * alone could make a rule believe that a file was read. Records whose bodies were erased or pruned can't tell any more.
 */
export function checkEvidence(store: Store): readonly Finding[] {
  if (store.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'marks'").get() === undefined) return [];
  const told = `json_each(CASE WHEN json_valid(b.body) THEN b.body ELSE '{}' END, '$.decision.marks') j`;
  const forged = store.db
    .prepare(
      `SELECT m.seq, m.rule, m.key, m.step, m.at FROM marks m LEFT JOIN records r USING (seq) LEFT JOIN bodies b USING (seq)
       WHERE m.rule >= 'evidence:' AND m.rule < 'evidence;' AND (b.body IS NOT NULL OR m.seq > (SELECT max(seq) FROM records))
         AND NOT EXISTS (SELECT 1 FROM ${told} WHERE j.value ->> '$.rule' = m.rule AND j.value ->> '$.key' = m.key
           AND j.value ->> '$.step' = m.step AND CAST(j.value ->> '$.at' AS INTEGER) = m.at)
       LIMIT ?`,
    )
    .all(MOST) as Row[];
  return forged.map(({ seq, rule }) => ({
    code: 'evidence-forged',
    seq,
    id: null,
    columns: [],
    message: `record ${seq} tells nothing of a mark of \`${rule}\` that stands in the store`,
    meaning: 'somebody wrote it with another tool, so that a rule takes for done what was not',
  }));
}
