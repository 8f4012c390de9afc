import type { Zone } from '../model/effect.ts';
import { folded, isUnder } from './paths.ts';
import { inWorkspace, isScratch, type Places } from './places.ts';
import { GUARD_ROLES, type Role, roleOf } from './roles.ts';
import { isSecret } from './secrets.ts';

/** What a place is. */
export interface Standing {
  readonly zone: Zone;
  readonly role: Role;
  readonly secret: boolean;
  readonly inWorkspace: boolean;
}

const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd(?:\/.*)?|ptmx|pts(?:\/.*)?|tcp(?:\/.*)?|udp(?:\/.*)?)$/;
const PROCESS_FD = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd(?:\/|$)/;

const SYSTEM = [
  '/etc',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/boot',
  '/opt',
  '/var',
  '/root',
  '/sys',
  '/proc',
  '/run',
  '/snap',
  '/nix',
  '/system',
  '/library',
  '/applications',
  '/private',
  '/cores',
  '/efi',
  '/lost+found',
];

/**
 * The one table of zones. `path` is absolute with links resolved; it need not exist. `text` reads its content where
 * the name leaves it open whether it is secret.
 */
export function standing(path: string, at: Places, text: () => string | null): Standing {
  const low = folded(path);
  const role = roleOf(low, at);
  const secret = isSecret(low, at, text);
  const work = inWorkspace(path, at);
  return { zone: zoneOf(path, low, at, role, secret, work), role, secret, inWorkspace: work };
}

function zoneOf(path: string, low: string, at: Places, role: Role, secret: boolean, work: boolean): Zone {
  if (role === 'gov') return 'guard';
  if (isUnder(low, '/dev') && !isUnder(low, '/dev/shm')) return HARMLESS_DEVICE.test(low) ? 'temp' : 'device';
  // A secret that lies in scratch space may be written and deleted there like all else; reading it is another matter.
  if (secret) return isScratch(path, at) ? 'temp' : 'secret';
  if (PROCESS_FD.test(low)) return 'temp';
  if (GUARD_ROLES.has(role)) return 'guard';
  if (work) return low.slice(at.workspace.length).split('/').includes('.git') ? 'vcs' : 'workspace';
  if (isScratch(path, at)) return 'temp';
  if (isUnder(path, at.home)) return 'home';
  if (low === '/' || SYSTEM.some((dir) => isUnder(low, dir))) return 'system';
  return 'outside';
}
