/**
 * A text for a message of SARIF. SECURITY: viewers make links of `[text](address)` in plain messages (SARIF 2.1.0,
 * 3.11.6), so that a recorded command could show one of its own; brackets before a parenthesis are escaped as it says.
 */
export function sarifText(text: string): string {
  return /\]\(/.test(text) ? text.replace(/[\\[\]]/g, '\\$&') : text;
}
