import type { Answers } from '../api.ts';

/** Asks the server. Throws an Error with one sentence for people. */
export async function ask<K extends keyof Answers>(
  name: K,
  query: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<Answers[K]> {
  const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`/api/${name}?${words}`, signal === undefined ? {} : { signal }).catch(
    (cause: unknown) => {
      if ((cause as { name?: unknown }).name === 'AbortError') throw cause;
      throw new Error('The viewer is no longer served: start `gov replay --web` again.', { cause });
    },
  );
  const body = (await response.json().catch(() => ({ error: `the server answered ${response.status}` }))) as unknown;
  if (!response.ok) throw new Error(String((body as { error?: unknown }).error ?? response.status));
  return body as Answers[K];
}
