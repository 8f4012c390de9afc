export function sha256Blocks(): string;
