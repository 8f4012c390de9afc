/** Sessions of `gov verify` start with this: their calls were made to be blocked, and wait for nobody. */
export const CANARY_SESSION = 'gov-verify-';
