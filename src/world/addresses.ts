import type { DestDraft } from '../model/effect.ts';
import type { DestFact } from '../model/facts.ts';
import { knownPrefix, render, type Value } from '../model/value.ts';

const PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ssh: 22,
  sftp: 22,
  scp: 22,
  ftp: 21,
  ftps: 990,
  git: 9418,
  dns: 53,
  smtp: 25,
  smtps: 465,
  ldap: 389,
  ldaps: 636,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  redis: 6379,
  rediss: 6379,
  mongodb: 27017,
  rsync: 873,
  telnet: 23,
  amqp: 5672,
  imap: 143,
  imaps: 993,
  pop3: 110,
  tftp: 69,
  gopher: 70,
  dict: 2628,
};

/** An address as rules see it: host in one spelling, port by scheme, and whether it is this machine or a cloud's metadata service. */
export function destOf(draft: DestDraft): DestFact {
  const text = asWritten(draft.address);
  const parts = text === null ? (beforePort(draft.address) ?? beforeHole(withoutLogin(draft.address))) : split(text);
  const scheme = (parts.scheme || draft.scheme || '').toLowerCase();
  const host = parts.host === null ? null : canonicalHost(parts.host);
  return {
    host,
    port: draft.port ?? (parts.port || PORTS[scheme] || 0),
    scheme,
    url: render(draft.address),
    loopback: scheme === 'unix' || scheme === 'file' ? true : host === null ? null : isLoopback(host),
    metadata: host !== null && isMetadata(host),
    sends: draft.sends,
    method: (draft.method ?? '').toUpperCase(),
    certain: draft.certain ?? true,
    command: -1,
  };
}

/** An address with characters of a pattern (`http://[::1]/`) is passed on as it stands: no file has such a name. */
function asWritten(address: Value): string | null {
  return address.some((part) => typeof part !== 'string' && 'hole' in part) ? null : render(address);
}

interface Split {
  readonly scheme: string;
  readonly host: string | null;
  readonly port: number;
}

/**
 * The certain text at the start. A secret in the log-in of a URL (`https://$TOKEN@host/`) hides nothing of where it
 * goes; any other unknown text there could hold a slash and a host of its own.
 */
function withoutLogin(address: Value): string {
  const text = address
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'hole' in part && (part.like === 'name' || part.taint === 'secret') ? '\0' : '/\0';
    })
    .join('');
  const login = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\\]*@/i.exec(text);
  const plain = login ? (login[1] as string) + text.slice(login[0].length) : text;
  const hole = plain.indexOf('\0');
  return login ? plain.slice(0, hole < 0 ? plain.length : hole) : knownPrefix(address);
}

/** `http://localhost:$PORT/x`: a variable that stands where a port does leaves the host known. */
function beforePort(address: Value): Split | null {
  const [start, port, rest] = address;
  if (typeof start !== 'string' || typeof port !== 'object' || !('hole' in port) || port.taint) return null;
  if (!/^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[\w.-]+|\[[\da-f:]+\]):$/i.test(start)) return null;
  if (rest !== undefined && !(typeof rest === 'string' && /^[/?#]/.test(rest))) return null;
  return split(start.slice(0, -1));
}

// The host is known only if something that ends a host stands before the first hole.
function beforeHole(prefix: string): Split {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([/?#:])?/i.exec(prefix);
  if (url ? url[3] : /^[^/]*@?[\w.-]+:\S/.test(prefix)) return split(prefix);
  return { scheme: url?.[1] ?? '', host: null, port: 0 };
}

function split(text: string): Split {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)/i.exec(text);
  if (url) return { scheme: url[1] as string, ...authority(url[2] as string) };
  if (/^(?:unix|file):/i.test(text)) return { scheme: text.slice(0, text.indexOf(':')), host: '', port: 0 };
  // scp and git: [user@]host:path; host:port is told apart by its digits.
  const scp = /^(?:[^@/\s]+@)?([^@/:\s[\]]+|\[[^\]]+\]):(.*)$/.exec(text);
  if (scp && !/^\d{1,5}(?:\/.*)?$/.test(scp[2] as string) && !scp[2]?.includes('::'))
    return { scheme: '', host: bare(scp[1] as string), port: 0 };
  return { scheme: '', ...authority((text.split(/[/?#]/)[0] as string) || text) };
}

function authority(text: string): { host: string; port: number } {
  const host = text.slice(text.lastIndexOf('@') + 1);
  const ported = /^(\[[^\]]*\]|[^:]*):(\d*)$/.exec(host);
  return ported ? { host: bare(ported[1] as string), port: Number(ported[2] || 0) } : { host: bare(host), port: 0 };
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

/** Lower case, and numbers in any base as a dotted quad: `0x7f.1`, `2130706433` and `127.0.0.1` are one host. */
function canonicalHost(host: string): string {
  const low = host.toLowerCase().replace(/\.$/, '');
  if (low === '' || /\s/.test(low)) return low;
  try {
    const name = new URL(`http://${low.includes(':') ? `[${low}]` : low}/`).hostname;
    const plain = name.startsWith('[') ? name.slice(1, -1) : name;
    const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain);
    if (!mapped) return plain;
    const high = Number.parseInt(mapped[1] as string, 16);
    const rest = Number.parseInt(mapped[2] as string, 16);
    return `${high >> 8}.${high & 255}.${rest >> 8}.${rest & 255}`;
  } catch {
    return low;
  }
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1|::)$/.test(
    host,
  );
}

/** Addresses at which clouds hand out credentials (AWS, GCP, Azure, Alibaba, Oracle, Tencent, ECS tasks). */
function isMetadata(host: string): boolean {
  return (
    /^(?:169\.254\.169\.25[0-9]|169\.254\.170\.(?:2|23)|100\.100\.100\.200|192\.0\.0\.192|fd00:ec2::254|fd20:ce::254|metadata|instance-data|metadata\.google\.internal|metadata\.goog|metadata\.azure\.(?:com|internal)|metadata\.tencentyun\.com|metadata\.packet\.net|metadata\.platformequinix\.com)$/.test(
      host,
    ) || /(?:^|[.-])169[.-]254[.-]169[.-]254[.-]/.test(host)
  );
}
