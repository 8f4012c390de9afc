import type { Answers } from '../api.ts';
import { KEY_HEADER } from '../link.ts';

const KEPT = 'gov-key';

/** Takes the key out of the address, so that it is in no history and no copy of it. Storage belongs to this port alone. */
export function enter(): void {
  const key = new URLSearchParams(location.search).get('key');
  if (key === null) return;
  localStorage.setItem(KEPT, key);
  history.replaceState(null, '', `${location.pathname}${location.hash}`);
}

/** Asks the server. Throws an Error with one sentence for people. */
export async function ask<K extends keyof Answers>(
  name: K,
  query: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<Answers[K]> {
  const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`/api/${name}?${words}`, {
    headers: { [KEY_HEADER]: localStorage.getItem(KEPT) ?? '' },
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if ((cause as { name?: unknown }).name === 'AbortError') throw cause;
    throw new Error('The viewer is no longer served: start `gov replay --web` again.', { cause });
  });
  const body = (await response.json().catch(() => ({ error: `the server answered ${response.status}` }))) as unknown;
  if (!response.ok) throw new Error(String((body as { error?: unknown }).error ?? response.status));
  return body as Answers[K];
}
