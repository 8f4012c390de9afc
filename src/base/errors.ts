/** Where in a file an error is: 1-based line and column (columns count UTF-16 code units). */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface GovErrorInit {
  /** Stable kebab-case code, listed in docs. */
  readonly code: string;
  /** One sentence, lower case, user input in backticks. */
  readonly message: string;
  /** What to do next. */
  readonly help?: string | undefined;
  readonly at?: Position | undefined;
  readonly cause?: unknown;
}

/** An error that a person or an agent can act on; anything else that is thrown is a defect. */
export class GovError extends Error {
  readonly code: string;
  readonly help: string | undefined;
  readonly at: Position | undefined;

  constructor(init: GovErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'GovError';
    this.code = init.code;
    this.help = init.help;
    this.at = init.at;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
