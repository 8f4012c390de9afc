import { appliers } from './appliers.ts';
import { copies } from './copies.ts';
import { coreutilsFiles } from './coreutils-files.ts';
import { coreutilsPrint } from './coreutils-print.ts';
import { coreutilsText } from './coreutils-text.ts';
import { curl } from './curl.ts';
import { databases, databaseTools } from './databases.ts';
import { datastores, migrations } from './datastores.ts';
import type { Program } from './define.ts';
import { find } from './find.ts';
import { git } from './git.ts';
import { httpClients } from './http-clients.ts';
import { listing } from './listing.ts';
import { lookups } from './lookups.ts';
import { namespaces } from './namespaces.ts';
import { node } from './node.ts';
import { nodeTools } from './node-tools.ts';
import { packageManagers } from './package-managers.ts';
import { privileges } from './privileges.ts';
import { python } from './python.ts';
import { pythonTools } from './python-tools.ts';
import { sessions } from './sessions.ts';
import { shells } from './shells.ts';
import { sockets } from './sockets.ts';
import { ssh } from './ssh.ts';
import { tunnels } from './tunnels.ts';
import { wget } from './wget.ts';
import { wrappers } from './wrappers.ts';

/** Every family of program models; a name may stand in one family only. */
export const families: readonly (readonly Program[])[] = [
  datastores,
  migrations,
  databases,
  databaseTools,
  git,
  tunnels,
  copies,
  ssh,
  lookups,
  sockets,
  httpClients,
  wget,
  curl,
  coreutilsFiles,
  coreutilsPrint,
  coreutilsText,
  listing,
  find,
  appliers,
  privileges,
  wrappers,
  namespaces,
  sessions,
  shells,
  python,
  pythonTools,
  node,
  packageManagers,
  nodeTools,
];
