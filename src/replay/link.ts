/** What an address points to: a session, a record in it, a filter. */
export interface Place {
  readonly session: string | null;
  /** Sequence number of the record. */
  readonly seq: number | null;
  readonly filter: string;
}

export function placeOf(hash: string): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const seq = Number(words.get('seq') ?? 0);
  return {
    session: words.get('session'),
    seq: Number.isSafeInteger(seq) && seq > 0 ? seq : null,
    filter: words.get('filter') ?? '',
  };
}

export function hashOf({ session, seq, filter }: Place): string {
  const words = new URLSearchParams();
  if (session !== null) words.set('session', session);
  if (seq !== null) words.set('seq', String(seq));
  if (filter !== '') words.set('filter', filter);
  return `#${words}`;
}

/** The header in which the page sends the key that lets it in. */
export const KEY_HEADER = 'x-gov-key';
