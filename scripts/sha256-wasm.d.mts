export function sha256Module(): Uint8Array;
