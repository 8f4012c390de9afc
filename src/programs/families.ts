import { coreutilsFiles } from './coreutils-files.ts';
import type { Program } from './define.ts';

/** Every family of program models; a name may stand in one family only. */
export const families: readonly (readonly Program[])[] = [coreutilsFiles];
