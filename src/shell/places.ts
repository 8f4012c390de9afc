import { keyOf, MAX_ALTERNATIVES, type Place, type State } from './state.ts';

export function setPlaces(s: State, places: readonly Place[]): void {
  s.places = places;
  s.dirty = true;
}

/** Keeps the directories of the paths on which the last command succeeded (or failed). */
export function keepPlaces(s: State, after: 'ok' | 'fail'): void {
  const kept = s.places.filter((p) => p.after === 'any' || p.after === after);
  if (kept.length !== s.places.length && kept.length > 0) setPlaces(s, kept);
}

export function hasOutcomePlaces(s: State): boolean {
  return s.places.some((p) => p.after !== 'any');
}

/** The directories no longer depend on the last command's status. */
export function settlePlaces(s: State): void {
  if (hasOutcomePlaces(s)) s.places = joinPlaces(s.places.map((p) => ({ ...p, after: 'any' as const })));
}

export function joinPlaces(places: readonly Place[]): readonly Place[] {
  const found = new Map<string, Place>();
  for (const place of places) {
    const key = keyOf(place.value);
    const before = found.get(key);
    if (!before) found.set(key, place);
    else
      found.set(key, {
        value: place.value,
        certain: before.certain || place.certain,
        after: before.after === place.after ? place.after : 'any',
      });
  }
  const all = [...found.values()];
  if (all.length <= MAX_ALTERNATIVES) return all;
  const rest: Place = { value: [{ hole: 'one of many directories', like: 'any' }], certain: true, after: 'any' };
  return [...all.slice(0, MAX_ALTERNATIVES - 1), rest];
}
