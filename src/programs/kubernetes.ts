import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { isRemoteSource } from './installs.ts';
import { takesSecret } from './leaving.ts';
import type { Parsed } from './options.ts';
import { below } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { resourceCommand, type VerbRow } from './verbs.ts';
import { atDashes, cut, say, starts } from './words.ts';

const KUBE =
  'n namespace:, context:, cluster:, user:, kubeconfig:, s server:, token:, as:, as-group:, certificate-authority:, client-key:, client-certificate:, request-timeout:, cache-dir:, v:, tls-server-name:, f filename:, k kustomize:, o output:, l selector:, L label-columns:, field-selector:, sort-by:, c container:, image:, port:, replicas:, p patch:, type:, patch-file:, grace-period:, timeout:, since:, since-time:, tail:, limit-bytes:, from-literal:, from-file:, from-env-file:, overrides:, restart:, env:, labels:, annotations:, field-manager:, target:, profile:, for:, template:, address:, pod-running-timeout:, kubelet-timeout:, to-revision:, revision:, resource-version:, cascade?, dry-run?, validate?, A all-namespaces, w watch, i stdin, t tty, q quiet, R recursive, force, now, all, wait?, overwrite, prune, server-side, rm, it, no-headers, show-labels, ignore-not-found, previous, follow, delete-emptydir-data, ignore-daemonsets, disable-eviction, raw:, minify, flatten, leave-stdin-open, command, expose, save-config, chunk-size:, max-log-requests:, prefix, timestamps, show-events, local, record, interactive';

/** Kubernetes clients, from the kubectl and helm references. */
export const kubernetes: readonly Program[] = [
  define({
    names: [
      'kubectl',
      'oc',
      'k3s-kubectl',
      'kubecolor',
      'kubectl.exe',
      'kubectl-exec',
      'minikube-kubectl',
      'k',
      'kctl',
    ],
    manual: 'kubectl reference',
    summary: 'objects and pods of a cluster',
    options: KUBE,
    style: { abbreviations: false },
    run: (args, inv) => merge({ stdout: QUIET }, kubectl(args, inv)),
  }),
  define({
    names: ['helm', 'helm3', 'helmfile', 'werf', 'skaffold', 'tilt', 'okteto', 'garden'],
    manual: 'helm reference',
    summary: 'releases of a cluster',
    options:
      'n namespace:, kube-context:, kubeconfig:, f values file:, set:, set-string:, set-file:, set-json:, version:, repo:, d destination untardir output-dir:, o output:, timeout:, username:, password:, revision:, post-renderer:, post-renderer-args:, dry-run?, e environment:, l selector:, p profile:, debug, i install, wait, atomic, u uninstall, create-namespace, untar, keep-history, all, a, A all-namespaces, api-versions:, kube-version:, show-only:, s, reset-values, reuse-values, devel, no-hooks, skip-crds, allow-unreleased, detailed-exitcode',
    run: (args, inv) => helm(args, inv),
  }),
  define({
    names: [
      'argocd',
      'flux',
      'istioctl',
      'linkerd',
      'cilium',
      'velero',
      'kops',
      'eksctl',
      'k9s',
      'kubeadm',
      'rancher',
      'tkn',
      'kn',
      'argo',
      'kubectx',
      'kubens',
      'stern',
      'cmctl',
      'clusterctl',
      'talosctl',
      'longhornctl',
      'calicoctl',
      'subctl',
      'karmadactl',
      'kubeseal',
      'k3sup',
      'kustomize',
      'kubeconform',
      'kubeval',
    ],
    manual: 'each tool',
    summary: 'clusters and what runs in them',
    options:
      'n namespace:, context:, kubeconfig:, server:, o output:, f filename:, l:, name:, dry-run?, help h, force, y yes, cascade?, all, nodes:, e endpoints:, path:, branch:, auth-token:, set:, s:',
    style: { abbreviations: false },
    run: (args, inv) => {
      // Another context for every later call, as `kubectl config use-context`.
      if (/^kube(ctx|ns)$/.test(inv.name) && args.operands.length > 0)
        return { files: [{ op: 'write', path: below([inv.world.home], ['.kube/config']) }], stdout: QUIET };
      if (/^(k9s|kubectx|kubens|stern|kubeconform|kubeval|kubeseal)$/.test(inv.name)) return { stdout: QUIET };
      if (inv.name === 'kustomize')
        return { stdout: QUIET, files: args.values('output').map((path): FileDraft => ({ op: 'write', path })) };
      return resourceCommand(args, inv.name, OTHER_ROWS, /^(install-cli|get|create-cluster-config)$/);
    },
  }),
];

const OTHER_ROWS: readonly VerbRow[] = [
  [/^(app|appset|proj|cluster|repo)s? (delete|rm|terminate-op)/, 'infra-destroy'],
  [/^account (generate-token|get-user-info)/, 'secret-read'],
  [/^(login|logout|completion|version|analyze|proxy-config|dashboard|check|config|context)/, null],
  [/^(sync|reconcile|bootstrap|suspend|resume|upgrade|up)/, 'infra-apply'],
];

function dry(args: Parsed): boolean {
  return args.has('dry-run') && word(args.value('dry-run')) !== 'none';
}

function kubectl(args: Parsed, inv: Invocation): Outcome {
  const { before, after } = atDashes(inv.argv.slice(1));
  const verb = word(args.operands[0]);
  const inside = after ? args.operands.slice(0, Math.max(0, args.operands.length - after.length)) : args.operands;
  const rest = inside.slice(1);
  const what = say(...rest) || say(args.value('filename') ?? args.value('kustomize') ?? args.value('selector'));
  const where = say(args.value('namespace') ?? args.value('context'));
  const facts: Outcome = {
    subcommand: /^(config|rollout|auth)$/.test(verb) ? `${verb} ${word(rest[0])}`.trim() : verb,
    operands: inside,
  };
  const effect = (kind: EffectDraft['kind'], detail = `kubectl ${verb} ${what}`): Outcome => ({
    ...facts,
    files: reads(
      args.values('filename', 'patch-file').filter((f) => !/^https?:/.test(word(f))),
      { certain: false },
    ),
    effects: [{ kind, target: what, detail: where ? `${detail} in ${where}` : detail, force: args.has('force') }],
  });
  const command = (from: readonly Value[] | null): Outcome => {
    const argv = from ?? trailing(before, rest);
    const stdin = inv.stdinIsOpen ? {} : { stdin: inv.stdin };
    const nested: Nested[] =
      argv.length > 0
        ? [{ kind: 'argv', via: `kubectl ${verb}`, argv, elsewhere: 'remote', cwd: ['/'], ...stdin }]
        : [];
    return { ...facts, nested };
  };
  switch (verb) {
    case 'exec':
    case 'rsh':
      return command(after);
    case 'run':
    case 'debug': {
      if (dry(args)) return facts;
      return merge(command(after ?? []), effect('infra-apply'));
    }
    case 'delete':
      return dry(args) ? facts : effect('infra-destroy');
    case 'drain':
    case 'evict':
      return dry(args) ? facts : effect('infra-destroy');
    case 'replace':
      return dry(args) ? facts : effect(args.has('force') ? 'infra-destroy' : 'infra-apply');
    case 'apply':
      if (/^(view-last-applied)$/.test(word(rest[0])) || dry(args))
        return {
          ...facts,
          files: reads(
            args.values('filename').filter((f) => !/^https?:/.test(word(f))),
            { certain: false },
          ),
        };
      return effect(args.has('prune') ? 'infra-destroy' : 'infra-apply');
    case 'scale':
      return dry(args) ? facts : effect(word(args.value('replicas')) === '0' ? 'infra-destroy' : 'infra-apply');
    case 'rollout':
      return /^(status|history)$/.test(word(rest[0])) || dry(args) ? facts : effect('infra-apply');
    case 'create':
      if (word(rest[0]) === 'token') return { ...facts, ...printsSecret(`a token of ${what}`) };
      return dry(args) ? facts : effect('infra-apply');
    case 'edit':
    case 'patch':
    case 'set':
    case 'label':
    case 'annotate':
    case 'taint':
    case 'cordon':
    case 'uncordon':
    case 'autoscale':
    case 'expose':
    case 'certificate':
    case 'new-app':
    case 'new-project':
    case 'start-build':
    case 'adm':
    case 'policy':
    case 'import-image':
    case 'tag':
      return dry(args) || args.has('local') ? facts : effect('infra-apply');
    case 'get':
    case 'describe':
      return secretRead(args, rest, facts);
    case 'cp': {
      const [from, to] = rest;
      const isPod = (v: Value | undefined): boolean =>
        !!v && !starts(v, '/') && !starts(v, '.') && cut(v, ':') !== null;
      const files: FileDraft[] = [];
      if (from && !isPod(from)) files.push({ op: 'read', path: from, recursive: true });
      if (to && !isPod(to)) files.push({ op: 'write', path: to, recursive: true });
      const sends = isPod(to);
      return {
        ...facts,
        files,
        effects: sends
          ? [{ kind: 'infra-apply', target: say(to), detail: 'copies files into a pod' }]
          : from
            ? takesSecret(inv, from)
            : [],
      };
    }
    case 'port-forward':
    case 'proxy':
      return word(args.value('address')) && !/^(localhost|127\.)/.test(word(args.value('address')))
        ? {
            ...facts,
            effects: [
              { kind: 'listen', target: what },
              { kind: 'share-publicly', target: what, detail: 'a way into the cluster that is open to all' },
            ],
          }
        : facts;
    case 'config': {
      const sub = word(rest[0]);
      if (/^(view|get-contexts|current-context|get-clusters|get-users)$/.test(sub)) {
        return args.has('raw') || sub !== 'view'
          ? sub === 'view'
            ? { ...facts, ...printsSecret('kubeconfig') }
            : facts
          : facts;
      }
      return {
        ...facts,
        files: [{ op: 'write', path: args.value('kubeconfig') ?? below([inv.world.home], ['.kube/config']) }],
      };
    }
    case 'whoami':
      return inv.argv.some((w) => /^(-t|--show-token)$/.test(word(w)))
        ? { ...facts, ...printsSecret('the session token') }
        : facts;
    case 'plugin':
    case 'krew':
      return word(rest[0]) === 'install'
        ? { ...facts, effects: [{ kind: 'install-global', target: say(...rest.slice(1)) }] }
        : facts;
    default:
      return facts;
  }
}

/** What follows the pod's name when there is no `--`. */
function trailing(before: readonly Value[], rest: readonly Value[]): readonly Value[] {
  const first = rest[1];
  return first ? before.slice(before.indexOf(first)) : [];
}

function secretRead(args: Parsed, rest: readonly Value[], facts: Outcome): Outcome {
  const kinds = word(rest[0]).toLowerCase();
  const named = /(^|,)secrets?(\.|\/|,|$)/.test(kinds);
  const format = word(args.value('output')).toLowerCase();
  const shows =
    /^(yaml|json|jsonpath|go-template|custom-columns|template)/.test(format) ||
    args.has('template') ||
    (args.has('output') && textOf(args.value('output') ?? []) === null);
  const metadata = /^jsonpath=\{?[^}]*\.metadata\./.test(format) && !/\.data/.test(format);
  const sealed = /^custom-columns/.test(format) && !/data/.test(format);
  const raw = word(args.value('raw'));
  if (facts.subcommand === 'get' && /\/secrets(\/|$|\?)/.test(raw)) return { ...facts, ...printsSecret(raw) };
  if (facts.subcommand !== 'get' || !named || !shows || metadata || sealed) return facts;
  return { ...facts, ...printsSecret(`secret ${say(...rest.slice(1))}`.trim()) };
}

function helm(args: Parsed, inv: Invocation): Outcome {
  const [first, second] = args.operands;
  const verb = word(first);
  const target = say(...args.operands.slice(1));
  const facts: Outcome = {
    subcommand: /^(repo|plugin|get|show|dependency|dep|chart|secrets|registry|diff)$/.test(verb)
      ? `${verb} ${word(second)}`
      : verb,
    stdout: QUIET,
  };
  const script: Nested[] = args
    .values('post-renderer')
    .map((text) => ({ kind: 'script', via: 'helm --post-renderer', text }));
  const files: FileDraft[] = args.values('destination').map((path) => ({ op: 'write', path, recursive: true }));
  const effect = (kind: EffectDraft['kind']): Outcome => ({
    ...facts,
    files,
    nested: script,
    effects:
      dry(args) && !kind.startsWith('install-')
        ? []
        : [{ kind, target, detail: `${inv.name} ${verb} ${target}`.trim() }],
  });
  if (/^(uninstall|delete|del|un|destroy|down)$/.test(verb) && inv.name !== 'tilt') return effect('infra-destroy');
  if (/^(install|upgrade|rollback|apply|sync|deploy|converge|run|up)$/.test(verb) && !/^(tilt|garden)$/.test(inv.name))
    return effect('infra-apply');
  if (verb === 'push' || verb === 'cm-push') return effect('publish');
  if (verb === 'plugin' && /^(install|update)$/.test(word(second)))
    return effect(isRemoteSource(args.operands[2] ?? []) ? 'install-remote' : 'install-global');
  if (verb === 'secrets' && /^(view|dec|decrypt)$/.test(word(second))) return { ...facts, ...printsSecret(target) };
  if (verb === 'package' && !args.has('destination'))
    return { ...facts, files: [{ op: 'create', path: ['.'], partial: true }] };
  return { ...facts, files: verb === 'template' || verb === 'pull' || verb === 'package' ? files : [], nested: script };
}
