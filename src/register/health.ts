/** One thing that `gov doctor` looked at. */
export interface Check {
  /** Stable kebab-case name. */
  readonly id: string;
  readonly state: 'ok' | 'warn' | 'bad';
  /** One line: what was found. */
  readonly message: string;
  /** What to do; '' if nothing. */
  readonly fix: string;
}

export function ok(id: string, message: string): Check {
  return { id, state: 'ok', message, fix: '' };
}

export function warn(id: string, message: string, fix: string): Check {
  return { id, state: 'warn', message, fix };
}

export function bad(id: string, message: string, fix: string): Check {
  return { id, state: 'bad', message, fix };
}
