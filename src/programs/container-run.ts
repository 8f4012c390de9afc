import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, NestedBase, Outcome } from '../model/program.ts';
import { concat, knownPrefix, textOf, type Value } from '../model/value.ts';
import { isOption, word } from './drafts.ts';
import { takesSecret } from './leaving.ts';
import type { Parsed } from './options.ts';
import { cut, say, splitAll, starts } from './words.ts';

/** Options of `docker run` and `create`; docker-run(1). */
export const RUN_OPTIONS =
  'a attach:, add-host:, annotation:, blkio-weight:, cap-add:, cap-drop:, cgroup-parent:, cgroupns:, cidfile:, c cpu-shares:, cpus:, cpuset-cpus:, cpuset-mems:, cpu-period:, cpu-quota:, detach-keys:, device:, device-cgroup-rule:, dns:, dns-option:, dns-search:, domainname:, entrypoint:, e env:, env-file:, expose:, gpus:, group-add:, health-cmd:, health-interval:, health-retries:, health-timeout:, health-start-period:, h hostname:, ip:, ip6:, ipc:, isolation:, kernel-memory:, l label:, label-file:, link:, log-driver:, log-opt:, mac-address:, m memory:, memory-reservation:, memory-swap:, memory-swappiness:, mount:, name:, net network:, network-alias:, oom-score-adj:, pid:, pids-limit:, platform:, p publish:, pull:, restart:, runtime:, security-opt:, shm-size:, stop-signal:, stop-timeout:, storage-opt:, sysctl:, tmpfs:, ulimit:, u user:, userns:, uts:, v volume:, volume-driver:, volumes-from:, w workdir:, pod:, arch:, os:, secret:, index:, use-api-socket, d detach, i interactive, t tty, rm, privileged, init, P publish-all, read-only, q quiet, no-healthcheck, sig-proxy, help, T no-TTY, build, no-deps, remove-orphans, service-ports, use-aliases, replace, rmi, tls-verify';

interface Mount {
  readonly host: Value;
  readonly inside: string;
  readonly readOnly: boolean;
}

/** Images whose entry point is a program that has a model of its own. */
const ENTRY: Readonly<Record<string, string>> = {
  'alpine/git': 'git',
  'bitnami/git': 'git',
  'bitnami/kubectl': 'kubectl',
  'rancher/kubectl': 'kubectl',
  'alpine/k8s': 'kubectl',
  'alpine/helm': 'helm',
  'amazon/aws-cli': 'aws',
  'hashicorp/terraform': 'terraform',
  'opentofu/opentofu': 'tofu',
  'pulumi/pulumi': 'pulumi',
  'curlimages/curl': 'curl',
  'rclone/rclone': 'rclone',
  'hashicorp/vault': 'vault',
};

/** A container that is started: what it gets of the host, and the command in it. */
export function containerRun(args: Parsed, inv: Invocation, via: string, operands = args.operands): Outcome {
  const mounts = mountsOf(args);
  const [image, ...command] = operands;
  const effects = hostEffects(args, mounts);
  const files = mounts.map(mountDraft);
  files.push(...args.values('cidfile').map((path): FileDraft => ({ op: 'write', path })));
  return { files, effects, nested: image ? inside(args, inv, via, image, command, mounts) : [] };
}

/** The command of `run` or `exec` as it runs in the container. */
export function inside(
  args: Parsed,
  inv: Invocation,
  via: string,
  image: Value | null,
  command: readonly Value[],
  mounts: readonly Mount[],
): readonly Nested[] {
  const base: NestedBase = {
    via,
    elsewhere: 'container',
    mounts: mounts.map(({ host, inside: path }) => ({ host, inside: path })),
    ...(args.value('workdir') ? { cwd: args.value('workdir') as Value } : { cwd: ['/'] }),
    ...(inv.stdinIsOpen ? {} : { stdin: inv.stdin }),
    ...(args.has('privileged') ? { privileged: true } : {}),
  };
  const entry = args.value('entrypoint');
  const name = image ? imageName(image) : '';
  const own = ENTRY[name];
  const argv =
    entry && entry.length > 0 ? [entry, ...command] : own && !isShell(command[0]) ? [[own], ...command] : command;
  const [first] = argv;
  if (!first || isOption(first)) return [];
  return [{ ...base, kind: 'argv', argv }];
}

function isShell(command: Value | undefined): boolean {
  return /^(\/bin\/)?(ba|da|a|z)?sh$/.test(word(command));
}

function imageName(image: Value): string {
  return word(image)
    .replace(/^docker\.io\//, '')
    .replace(/[@:][^/]*$/, '');
}

/** Host directories that the container gets: `-v host:inside[:ro]`, `--mount type=bind,…`. */
function mountsOf(args: Parsed): readonly Mount[] {
  const out: Mount[] = [];
  for (const volume of args.values('volume')) {
    const parts = splitAll(volume, ':');
    const [host, target, mode] = parts;
    if (!host || !target) continue;
    if (!isHostPath(host)) continue;
    out.push({ host, inside: word(target) || '/unknown', readOnly: /(^|,)(ro|readonly)(,|$)/.test(word(mode)) });
  }
  for (const mount of args.values('mount')) {
    const fields = new Map<string, Value>();
    for (const field of splitAll(mount, ',')) {
      const parts = cut(field, '=');
      fields.set(word(parts ? parts[0] : field), parts ? parts[1] : ['true']);
    }
    const host = fields.get('source') ?? fields.get('src');
    const target = fields.get('target') ?? fields.get('dst') ?? fields.get('destination');
    const type = word(fields.get('type')) || 'volume';
    if (!host || (type !== 'bind' && !isHostPath(host))) continue;
    const readOnly = fields.has('readonly') || fields.has('ro') || /(^|:)ro(:|$)/.test(word(fields.get('options')));
    out.push({ host, inside: word(target) || '/unknown', readOnly });
  }
  return out;
}

/** A name is a volume; a path, or what could be one, is a directory of this machine. */
function isHostPath(host: Value): boolean {
  const start = knownPrefix(host);
  return start === '' ? textOf(host) === null : /^[./~]/.test(start);
}

function mountDraft(mount: Mount): FileDraft {
  const socket = isEngine(mount.host);
  if (mount.readOnly || socket) return { op: 'read', path: mount.host, recursive: true, certain: false };
  return { op: 'write', path: mount.host, recursive: true, partial: true, certain: false };
}

function isEngine(host: Value): boolean {
  return /(docker|podman|containerd|crio|cri-dockerd)[^/]*\.sock$/.test(word(host));
}

const SYSTEM = /^\/(|etc|proc|sys|dev|boot|root|usr|bin|sbin|lib|lib64|var|run|var\/run|var\/lib\/docker|home)\/?$/;

/** Options that take the wall between container and host away. */
function hostEffects(args: Parsed, mounts: readonly Mount[]): readonly EffectDraft[] {
  const found: string[] = [];
  if (args.has('privileged')) found.push('--privileged');
  for (const space of ['pid', 'ipc', 'userns', 'uts', 'cgroupns']) {
    if (word(args.value(space)) === 'host') found.push(`--${space}=host`);
  }
  for (const cap of args.values('cap-add')) {
    if (/^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|BPF)$/i.test(word(cap)))
      found.push(`--cap-add ${say(cap)}`);
  }
  for (const option of args.values('security-opt')) {
    if (/(seccomp|apparmor|systempaths)[=:]unconfined|label[=:]disable/.test(word(option)))
      found.push(`--security-opt ${say(option)}`);
  }
  for (const device of args.values('device'))
    if (!/^\/dev\/(dri|kvm|snd|fuse|net\/tun|video\d*|nvidia.*)/.test(word(device)))
      found.push(`--device ${say(device)}`);
  if (args.has('use-api-socket')) found.push('--use-api-socket');
  for (const mount of mounts) {
    const path = word(mount.host);
    if (isEngine(mount.host) || (SYSTEM.test(path) && !(mount.readOnly && /^\/(etc|usr)/.test(path))))
      found.push(`mount of ${say(mount.host)}`);
  }
  return found.map((what) => ({ kind: 'container-host', target: what, detail: `a container with ${what}` }));
}

/** `docker cp`: what lands on this machine, what goes in. */
export function containerCopy(operands: readonly Value[], inv: Invocation): Outcome {
  const [from, to] = operands;
  if (!from || !to) return {};
  const isLocal = (v: Value): boolean => starts(v, '/') || starts(v, '.') || starts(v, '~') || cut(v, ':') === null;
  const files: FileDraft[] = [];
  if (isLocal(from) && word(from) !== '-') files.push({ op: 'read', path: from, recursive: true });
  if (isLocal(to) && word(to) !== '-') files.push({ op: 'write', path: concat(to), recursive: true });
  return { files, effects: isLocal(from) ? [] : takesSecret(inv, from) };
}
