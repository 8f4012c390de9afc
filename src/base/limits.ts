/** All bounds in one place. Past a bound the rest becomes dynamic (unknown), never dropped. */
export const LIMITS = {
  /** Bytes of a hook's standard input that are read; more is refused (blocked). A model's output can't be near it. */
  stdinBytes: 32 * 1024 * 1024,
  /** Milliseconds after which a hook answers by itself, well under the agents' own time-outs. */
  hookDeadlineMs: 10_000,
  /** UTF-16 code units of shell text that are analysed. */
  shellChars: 4 * 1024 * 1024,
  /** Commands (after unrolling) that one analysis returns. */
  commands: 20_000,
  /** How deep code inside code (bash -c, eval, $(…), scripts) is followed. */
  nesting: 24,
  /** Loop iterations unrolled, glob matches kept, brace words made. */
  unroll: 256,
  /** Bytes read of a file that the command would run. */
  scriptBytes: 256 * 1024,
  /** Alternatives that come out of the braces of one glob; the rest is taken literally. */
  globAlternatives: 256,
  /** Steps of one rule condition; past it the condition is an error (on_error). */
  celSteps: 200_000,
  /** Steps of all conditions of one decision together. */
  decisionSteps: 4_000_000,
  /** Different keys (files) for which one call establishes or ends evidence of one kind. */
  evidencePerCall: 500,
  /** Characters of a rule's message. */
  messageChars: 400,
  /** Bytes of a tool call kept in a record after redaction; the digest is of the whole. */
  recordBytes: 256 * 1024,
} as const;
