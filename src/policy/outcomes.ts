/** Events that tell how a call ended. */
export const OUTCOMES: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);
