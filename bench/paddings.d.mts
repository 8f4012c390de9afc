import type { Shape } from './shapes.mjs';

export const PADDINGS: Readonly<Record<string, Shape>>;
