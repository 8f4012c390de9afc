import { coreutilsFiles } from './coreutils-files.ts';
import { coreutilsPrint } from './coreutils-print.ts';
import { coreutilsText } from './coreutils-text.ts';
import { databases, databaseTools } from './databases.ts';
import { datastores, migrations } from './datastores.ts';
import type { Program } from './define.ts';
import { git } from './git.ts';
import { listing } from './listing.ts';

/** Every family of program models; a name may stand in one family only. */
export const families: readonly (readonly Program[])[] = [
  datastores,
  migrations,
  databases,
  databaseTools,
  coreutilsFiles,
  git,
  coreutilsPrint,
  coreutilsText,
  listing,
];
