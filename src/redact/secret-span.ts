/** Where a secret stands in a text: half-open range of UTF-16 code units. */
export interface SecretSpan {
  /** What it is, in kebab case; part of the replacement text. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** 0: a known format, 1: said by structure, 2: guessed next to a hint. The lower one names an overlap. */
  readonly rank: 0 | 1 | 2;
}
