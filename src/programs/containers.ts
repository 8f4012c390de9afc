import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { isDynamic, textOf, type Value } from '../model/value.ts';
import { composeEffects } from './compose-file.ts';
import { containerCopy, containerRun, inside, RUN_OPTIONS } from './container-run.ts';
import { define, type Program, words } from './define.ts';
import { isStdin, reads, word } from './drafts.ts';
import { onOtherEngine } from './engine-host.ts';
import { strangeCode } from './named-programs.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { say } from './words.ts';

const RUN = grammar(RUN_OPTIONS, { stopAtOperand: true, abbreviations: false });
const PLAIN = grammar(
  'f file force, docker:, description:, a all, v volumes, filter:, format:, t tag:, timeout:, time:, o output:, i input:, q quiet, s size, n tail:, rmi:, remove-orphans, push, load, build-arg:, target:, platform:, secret:, ssh:, iidfile:, metadata-file:, cache-from:, cache-to:, label:, network:, progress:, builder:, allow:, build-context:, add-host:, signal:, u username:, p password:, password-stdin, no-cache, pull, rm, d detach, wait, scale:, since:, until:, c:, orchestrator:, compose-file:, dry-run, y yes, link, l, x, authfile:, creds:, keep-storage:, k',
  { abbreviations: false },
);
/** `-f` names a file in `build` and forces elsewhere. */
const BUILD = grammar(
  'f file:, t tag:, o output:, build-arg:, target:, platform:, secret:, ssh:, iidfile:, metadata-file:, cache-from:, cache-to:, label:, network:, progress:, builder:, allow:, build-context:, add-host:, push, load, no-cache, pull, q quiet, rm, cgroup-parent:, m memory:, v volume:, squash, layers, authfile:, layers?, isolation:, jobs:, attest:, annotation:, set:, provenance:, sbom:',
  { abbreviations: false },
);

const GROUPS =
  /^(container|image|volume|network|system|builder|buildx|compose|context|swarm|service|stack|node|secret|config|plugin|manifest|trust|machine|pod|scout|model|mcp|sandbox|desktop|extension|kube|play|generate|images|containers|tasks|snapshots|content|namespaces|leases|t|c|i)$/;

const ENGINE_OPTIONS =
  'config:, c context connection:, D debug, H host url:, l log-level:, tls, tlscacert:, tlscert:, tlskey:, tlsverify, v version, help, n namespace:, a address:, root:, runroot:, storage-driver:, remote r, cgroup-manager:, data-root:, snapshotter:, insecure-registry, hosts-dir:, ssh:, tmpdir:, conmon:, events-backend:';
const COMPOSE_OPTIONS =
  'f file:, p project-name:, env-file:, profile:, project-directory:, parallel:, ansi:, progress:, compatibility, dry-run, all-resources, verbose, c context:, H host:, v version, h help, no-ansi';

/** Container engines, from docker(1), podman(1), nerdctl, ctr. */
export const containers: readonly Program[] = [
  define({
    names: ['docker', 'podman', 'nerdctl', 'docker.io', 'finch', 'com.docker.cli', 'podman-remote'],
    manual: 'docker(1), podman(1)',
    summary: 'containers, images, volumes',
    options: ENGINE_OPTIONS,
    style: { stopAtOperand: true, abbreviations: false },
    run: (args, inv) => {
      const host = args.value('host');
      const engine =
        host && !/^(unix|npipe|fd):/.test(word(host)) ? [{ address: host, sends: 'nothing' as const }] : [];
      const made = engineCommand(args.operands, args.flags, inv);
      const effects = [
        ...strangeCode(inv, args.values('config')),
        ...onOtherEngine(inv, host, args.value('context'), made.subcommand ?? ''),
      ];
      return merge({ dests: engine, effects }, made);
    },
  }),
  define({
    names: ['docker-compose', 'podman-compose'],
    manual: 'docker compose',
    summary: 'containers of a project',
    options: COMPOSE_OPTIONS,
    style: { stopAtOperand: true, abbreviations: false },
    run: (args, inv) => {
      const made = compose(args, inv);
      const path = made.subcommand ?? '';
      return merge({ effects: onOtherEngine(inv, args.value('host'), args.value('context'), path) }, made);
    },
  }),
  define({
    names: ['ctr', 'crictl'],
    manual: 'ctr, crictl, containerd',
    summary: 'containers of containerd',
    options: `${ENGINE_OPTIONS}, r runtime-endpoint:, i image-endpoint:, t timeout:`,
    style: { stopAtOperand: true, abbreviations: false },
    run: (args, inv) => {
      if (word(args.operands[0]) === 'run') {
        const run = parseOptions(args.operands, RUN);
        const [image, , ...command] = run.operands;
        return { subcommand: 'run', ...containerRun(run, inv, inv.name, image ? [image, ...command] : []) };
      }
      return engineCommand(args.operands, args.flags, inv);
    },
  }),
];

function engineCommand(words: readonly Value[], flags: readonly string[], inv: Invocation): Outcome {
  const first = word(words[0]);
  const grouped = GROUPS.test(first);
  if (first === 'compose' || first === 'kube' || first === 'play') {
    if (first === 'compose')
      return compose(parseOptions(words, grammar(COMPOSE_OPTIONS, { stopAtOperand: true, abbreviations: false })), inv);
  }
  const verb = grouped ? word(words[1]) : first;
  const rest = grouped ? words.slice(1) : words;
  const group = grouped ? first : '';
  const path = `${group} ${verb}`.trim();
  if (words.length > 0 && verb === '' && textOf((grouped ? words[1] : words[0]) ?? []) === null) {
    return { effects: [{ kind: 'exec-unknown', target: inv.name, detail: 'unknown subcommand' }] };
  }
  if (/^(container )?(run|create)$/.test(path)) {
    const args = parseOptions(rest, RUN);
    return {
      subcommand: path,
      flags: [...flags, ...args.flags],
      operands: args.operands,
      stdout: QUIET,
      ...containerRun(args, inv, `${inv.name} run`),
    };
  }
  if (/^(container |tasks |t )?exec$/.test(path)) {
    const args = parseOptions(rest, RUN);
    return {
      subcommand: path,
      flags: [...flags, ...args.flags],
      operands: args.operands,
      stdout: QUIET,
      nested: inside(args, inv, `${inv.name} exec`, null, args.operands.slice(1), []),
    };
  }
  if (path === 'unshare' && rest.length > 1)
    return { subcommand: path, nested: [{ kind: 'argv', via: 'podman unshare', argv: rest.slice(1) }] };
  if (/^(image |builder |buildx )?(build|bake|bud)$/.test(path)) {
    const args = parseOptions(rest, BUILD);
    return {
      subcommand: path,
      flags: [...flags, ...args.flags],
      operands: args.operands,
      ...built(args, inv),
      stdout: QUIET,
    };
  }
  const args = parseOptions(rest, PLAIN);
  return {
    subcommand: path,
    flags: [...flags, ...args.flags],
    operands: args.operands,
    stdout: QUIET,
    ...ordinary(path, args, inv),
  };
}

function ordinary(path: string, args: Parsed, inv: Invocation): Outcome {
  const { operands } = args;
  if (/^(container )?inspect$/.test(path) && args.values('format', 'f').some((f) => /\.Env\b/.test(word(f))))
    return printsSecret('the environment of a container');
  const target = say(...operands);
  const destroy = (what: string, detail: string): Outcome => ({
    effects: [{ kind: 'infra-destroy', target: what, detail, force: args.has('force') }],
  });
  switch (path) {
    case 'rm':
    case 'container rm':
    case 'container remove':
    case 'containers rm':
    case 'pod rm':
      if (args.has('volumes')) return destroy(target, 'containers with their volumes');
      return args.has('all') || operands.some(isDynamic)
        ? destroy(target || 'all', 'containers that are not named')
        : {};
    case 'volume rm':
    case 'volume remove':
    case 'volume prune':
      return destroy(target || 'unused volumes', 'volumes with their data');
    case 'system prune':
    case 'system reset':
      return destroy(
        'unused objects',
        args.has('volumes') || path === 'system reset'
          ? 'containers, images and volumes with their data'
          : 'stopped containers and images',
      );
    case 'container prune':
    case 'pod prune':
      return destroy('stopped containers', 'stopped containers');
    case 'machine rm':
    case 'machine reset':
    case 'snapshots rm':
    case 'desktop reset':
      return destroy(target, path);
    case 'push':
    case 'image push':
    case 'images push':
    case 'manifest push':
    case 'plugin push':
      return { effects: [{ kind: 'publish', target, detail: `${inv.name} push` }] };
    case 'stack rm':
    case 'stack down':
    case 'service rm':
    case 'node rm':
    case 'secret rm':
    case 'config rm':
    case 'swarm leave':
      return destroy(target, path);
    case 'stack deploy':
    case 'stack up':
    case 'service create':
    case 'service update':
    case 'service scale':
    case 'service rollback':
    case 'node update':
    case 'secret create':
    case 'config create':
    case 'swarm init':
    case 'swarm join':
    case 'swarm update':
      return { effects: [{ kind: 'infra-apply', target, detail: path }] };
    case 'context create':
    case 'context update':
    case 'context import':
    case 'context use':
    case 'context rm':
    case 'system connection add':
    case 'login':
      return { files: [{ op: 'write', path: below([inv.world.home], ['.docker/config.json']) }] };
    case 'cp':
    case 'container cp':
      return containerCopy(operands, inv);
    case 'save':
    case 'image save':
    case 'export':
    case 'container export':
      return { files: args.values('output').map((p): FileDraft => ({ op: 'write', path: p })) };
    case 'plugin install':
      return { effects: [{ kind: 'container-host', target, detail: 'an engine plugin' }] };
    default:
      return {};
  }
}

function built(args: Parsed, inv: Invocation): Outcome {
  const files: FileDraft[] = args.values('iidfile', 'metadata-file').map((path) => ({ op: 'write', path }));
  for (const output of args.values('output')) {
    const target = /(?:^|,)dest=([^,]+)/.exec(word(output))?.[1] ?? (/=/.test(word(output)) ? '' : word(output));
    if (target !== '' && target !== '-') files.push({ op: 'write', path: [target], recursive: true });
  }
  const pushes = args.has('push') || args.values('output').some((o) => /type=registry|push=true/.test(word(o)));
  const effects: EffectDraft[] = pushes
    ? [{ kind: 'publish', target: say(...args.values('tag')), detail: 'build --push' }]
    : [];
  if (args.values('allow').some((a) => word(a) === 'security.insecure'))
    effects.push({ kind: 'container-host', target: '--allow security.insecure' });
  const piped = [...args.operands, ...args.values('file')].some(isStdin);
  if (piped && inv.stdin.taints.includes('network'))
    effects.push({ kind: 'exec-unknown', target: 'docker build', detail: 'builds what came from the network' });
  return { files, effects };
}

/** Options of `docker compose config` with which no value is printed. */
const ONLY_NAMES = words(
  'q quiet services volumes profiles images networks models hash no-interpolate no-env-resolution',
);

/** `docker compose config` prints the file with the values of the project's dotenv file put in. */
function filledIn(args: Parsed, inv: Invocation): Outcome {
  const directory = args.value('project-directory');
  const usual: Value = directory ? below(directory, ['.env']) : ['.env'];
  const { real } = inv.world.resolve(inv.cwd, usual, true);
  const given = args.values('env-file');
  const there = real !== null && inv.world.kind(real) === 'file';
  return { flags: args.flags, files: reads(given.length > 0 ? given : there ? [usual] : []) };
}

/** `docker compose …`; `args` holds its own options, then the subcommand. */
function compose(args: Parsed, inv: Invocation): Outcome {
  const [name, ...rest] = args.operands;
  const verb = word(name);
  const path = `compose ${verb}`.trim();
  const facts = { subcommand: path, stdout: QUIET };
  if (args.has('dry-run')) return { ...facts, flags: args.flags };
  if (verb === 'run' || verb === 'exec') {
    const run = parseOptions(args.operands, RUN);
    const outcome =
      verb === 'run'
        ? merge(containerRun(run, inv, 'docker compose run'), {
            effects: composeEffects(inv, args.values('file'), args.value('project-directory') ?? null),
          })
        : { nested: inside(run, inv, 'docker compose exec', null, run.operands.slice(1), []) };
    return { ...facts, flags: [...args.flags, ...run.flags], operands: run.operands, ...outcome };
  }
  const sub = parseOptions([name ?? [], ...rest], PLAIN);
  const project = say(args.value('project-name') ?? args.value('file')) || 'the project';
  const effects: EffectDraft[] = [];
  const add = (kind: EffectKind, target: string, detail: string): void => {
    effects.push({ kind, target, detail });
  };
  if ((verb === 'down' || verb === 'rm') && sub.has('volumes')) add('infra-destroy', project, `${path} with volumes`);
  if (verb === 'push' || (verb === 'build' && sub.has('push'))) add('publish', say(...sub.operands) || project, path);
  if (verb === 'publish') add('publish', say(...sub.operands), path);
  if (/^(up|start|restart|create|watch)$/.test(verb))
    effects.push(...composeEffects(inv, args.values('file'), args.value('project-directory') ?? null));
  const copied = verb === 'cp' ? containerCopy(sub.operands, inv) : {};
  effects.push(...(copied.effects ?? []));
  if (/^(config|convert)$/.test(verb) && !sub.has(...ONLY_NAMES)) return { ...facts, ...filledIn(args, inv) };
  return { ...facts, flags: [...args.flags, ...sub.flags], operands: sub.operands, effects, files: copied.files ?? [] };
}
