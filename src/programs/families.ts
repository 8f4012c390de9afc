import { agents } from './agents.ts';
import { appliers } from './appliers.ts';
import { archives } from './archives.ts';
import { buildTools } from './build-tools.ts';
import { cloud } from './cloud.ts';
import { aws, awsTools } from './cloud-aws.ts';
import { comparison } from './comparison.ts';
import { compilers } from './compilers.ts';
import { containers } from './containers.ts';
import { copies } from './copies.ts';
import { coreutilsFiles } from './coreutils-files.ts';
import { coreutilsPrint } from './coreutils-print.ts';
import { coreutilsText } from './coreutils-text.ts';
import { curl } from './curl.ts';
import { databaseTools } from './database-tools.ts';
import { databases } from './databases.ts';
import { datastores } from './datastores.ts';
import type { Program } from './define.ts';
import { disks } from './disks.ts';
import { dotnetPrograms } from './dotnet.ts';
import { editors } from './editors.ts';
import { fileServers } from './file-servers.ts';
import { find } from './find.ts';
import { gh } from './gh.ts';
import { git } from './git.ts';
import { goPrograms } from './go.ts';
import { gov } from './gov.ts';
import { httpClients } from './http-clients.ts';
import { iac } from './iac.ts';
import { jsonTools } from './json-tools.ts';
import { jvm } from './jvm.ts';
import { keys } from './keys.ts';
import { kubernetes } from './kubernetes.ts';
import { languages } from './languages.ts';
import { launchers } from './launchers.ts';
import { listing } from './listing.ts';
import { lookups } from './lookups.ts';
import { machine } from './machine.ts';
import { makes } from './make.ts';
import { media } from './media.ts';
import { messageBus } from './message-bus.ts';
import { migrations } from './migrations.ts';
import { namespaces } from './namespaces.ts';
import { node } from './node.ts';
import { nodeTools } from './node-tools.ts';
import { opensslTools } from './openssl.ts';
import { optionCode } from './option-code.ts';
import { packageManagers } from './package-managers.ts';
import { packages } from './packages.ts';
import { perl } from './perl.ts';
import { phpPrograms } from './php.ts';
import { platforms } from './platforms.ts';
import { powershell } from './powershell.ts';
import { privileges } from './privileges.ts';
import { processes } from './processes.ts';
import { publishing } from './publishing.ts';
import { python } from './python.ts';
import { pythonTools } from './python-tools.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { search } from './search.ts';
import { secretsManagers } from './secrets-managers.ts';
import { sessions } from './sessions.ts';
import { shells } from './shells.ts';
import { sockets } from './sockets.ts';
import { ssh } from './ssh.ts';
import { textPrograms } from './text-programs.ts';
import { textReaders } from './text-readers.ts';
import { toolRunners } from './tool-code.ts';
import { tunnels } from './tunnels.ts';
import { versionManagers } from './version-managers.ts';
import { imageTools, virtualMachines } from './virtual-machines.ts';
import { wget } from './wget.ts';
import { windows } from './windows.ts';
import { wrappers } from './wrappers.ts';

/** Every family of program models; a name may stand in one family only. */
export const families: readonly (readonly Program[])[] = [
  agents,
  appliers,
  archives,
  buildTools,
  aws,
  awsTools,
  cloud,
  comparison,
  compilers,
  containers,
  copies,
  coreutilsFiles,
  coreutilsPrint,
  coreutilsText,
  curl,
  databases,
  databaseTools,
  datastores,
  disks,
  dotnetPrograms,
  editors,
  fileServers,
  find,
  gh,
  git,
  gov,
  goPrograms,
  httpClients,
  iac,
  jsonTools,
  jvm,
  keys,
  kubernetes,
  languages,
  launchers,
  listing,
  lookups,
  machine,
  makes,
  media,
  messageBus,
  migrations,
  namespaces,
  nodeTools,
  node,
  opensslTools,
  optionCode,
  packageManagers,
  packages,
  perl,
  phpPrograms,
  platforms,
  powershell,
  privileges,
  processes,
  publishing,
  pythonTools,
  python,
  ruby,
  rust,
  search,
  secretsManagers,
  sessions,
  shells,
  sockets,
  ssh,
  textPrograms,
  textReaders,
  toolRunners,
  tunnels,
  versionManagers,
  virtualMachines,
  imageTools,
  wget,
  windows,
  wrappers,
];
