import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { pathOf, resourceCommand, type VerbRow } from './verbs.ts';
import { drop, say, starts } from './words.ts';

/** Infrastructure as code, from the references of terraform, pulumi, ansible and others. */
export const iac: readonly Program[] = [
  define({
    names: ['terraform', 'tofu', 'terragrunt', 'terraform.exe', 'tf', 'atmos'],
    manual: 'terraform CLI reference',
    summary: 'resources described in files',
    options:
      'chdir:, target:, replace:, var:, var-file:, state:, state-out:, out:, backup:, backend-config:, lock-timeout:, parallelism:, plugin-dir:, from-module:, auto-approve, destroy, input?, lock?, refresh?, refresh-only, upgrade, reconfigure, migrate-state, force-copy, no-color, json, raw, force, help, version, check, recursive, diff, generate-config-out:, compact-warnings, detailed-exitcode, write?, terragrunt-working-dir:, terragrunt-config:, working-dir:, all',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, inv) => terraform(args, inv),
  }),
  define({
    names: ['pulumi'],
    manual: 'pulumi CLI reference',
    summary: 'resources described in programs',
    options:
      's stack:, C cwd:, t target:, c config:, config-file:, m message:, e exec-kind:, y yes, f skip-preview, show-secrets, j json, diff, force, preview-only, r refresh, remove, non-interactive, file:, secrets-provider:',
    run: (args, inv) => {
      if (args.has('show-secrets') && /^(stack|config|env)/.test(word(args.operands[0])))
        return merge({ subcommand: pathOf(args, 2) }, printsSecret('pulumi secrets'));
      if (args.has('preview-only')) return { subcommand: pathOf(args, 2), stdout: QUIET };
      return resourceCommand(args, inv.name, PULUMI, /^(stack|config|state|org|policy|plugin|logs|env)$/);
    },
  }),
  define({
    names: [
      'cdk',
      'aws-cdk',
      'cdktf-cli',
      'cdktf',
      'serverless',
      'sls',
      'sst',
      'nitric',
      'arc',
      'architect',
      'winglang',
      'alchemy',
      'terraspace',
    ],
    manual: 'each tool',
    summary: 'deploys a stack of resources',
    options:
      'a app:, c context:, profile:, s stage:, r region:, o output:, f force, require-approval:, all, y yes, hotswap, exclusively e, parameters:, role-arn:, auto-approve, n name:, env:, function:',
    run: (args, inv) => {
      const app = args.value('app');
      const runs: Nested[] =
        /cdk$/.test(inv.name) && app && !/\.out\/?$/.test(word(app))
          ? [{ kind: 'script', via: 'cdk --app', text: app }]
          : [];
      return merge(resourceCommand(args, inv.name, STACKS), { nested: runs });
    },
  }),
  define({
    names: ['ansible', 'ansible-playbook', 'ansible-pull', 'ansible-console'],
    manual: 'ansible(1), ansible-playbook(1)',
    summary: 'tasks on machines of an inventory',
    options:
      'm module-name:, a args:, i inventory:, l limit:, e extra-vars:, u user:, c connection:, M module-path:, f forks:, P poll:, B background:, t tree tags:, skip-tags:, vault-password-file:, vault-id:, private-key:, become-user:, become-method:, start-at-task:, U url:, d directory:, playbook-dir:, ssh-common-args:, ssh-extra-args:, b become, K ask-become-pass, k ask-pass, C check, D diff, syntax-check, list-tasks, list-tags, list-hosts, v, o one-line, step, flush-cache, version',
    run: (args, inv) => ansible(args, inv),
  }),
  define({
    names: [
      'ansible-galaxy',
      'ansible-vault',
      'ansible-inventory',
      'ansible-lint',
      'ansible-doc',
      'ansible-config',
      'molecule',
    ],
    manual: 'ansible-galaxy(1), ansible-vault(1)',
    summary: 'roles and secrets of ansible',
    options:
      'r role-file requirements-file:, p roles-path:, i inventory:, vault-password-file:, vault-id:, output:, s scenario-name:, f force, host:, list, graph, encrypt-vault-id:, n name:',
    run: (args, inv) => {
      const [verb, next] = args.operands.map(word);
      if (inv.name === 'ansible-vault' && /^(view|decrypt)$/.test(verb ?? ''))
        return { subcommand: verb ?? '', files: reads(args.operands.slice(1)), ...printsSecret('an ansible vault') };
      if (inv.name === 'ansible-galaxy' && (verb === 'install' || next === 'install'))
        return {
          subcommand: 'install',
          effects: [
            { kind: 'install', target: say(...args.operands.slice(verb === 'install' ? 1 : 2)) || 'ansible roles' },
          ],
        };
      return { subcommand: verb ?? '', stdout: QUIET };
    },
  }),
  define({
    names: [
      'packer',
      'nomad',
      'consul',
      'waypoint',
      'boundary',
      'levant',
      'nomad-pack',
      'chef',
      'chef-client',
      'chef-solo',
      'chef-apply',
      'knife',
      'puppet',
      'salt',
      'salt-call',
      'salt-ssh',
      'bolt',
      'fab',
      'pyinfra',
      'cap-deploy',
      'juju',
      'spacelift',
      'spacectl',
      'env0',
      'scalr',
      'infracost',
      'crossplane',
      'up-cli',
    ],
    manual: 'each tool',
    summary: 'machines and services from descriptions',
    options:
      'var:, var-file:, only:, except:, address:, token:, namespace:, region:, e:, o:, z, yes y, force f, purge, detach, test, noop, targets t:, H hosts:, local, parallel-builds:, on-error:, config c:, h help',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, inv) => manager(args, inv),
  }),
];

function terraform(args: Parsed, inv: Invocation): Outcome {
  const words = args.operands.map((o) => textOf(o) ?? '');
  const [first] = words;
  const shift = first === 'run-all' || first === 'run' ? 1 : 0;
  const verb = words[shift] ?? '';
  const second = words[shift + 1] ?? '';
  const facts: Outcome = {
    subcommand: /^(state|workspace|providers)$/.test(verb) ? `${verb} ${second}`.trim() : verb,
    stdout: QUIET,
  };
  const where = say(...args.values('target')) || say(args.value('chdir')) || 'all resources';
  const effect = (kind: EffectDraft['kind'], target = where): Outcome => ({
    ...facts,
    effects: [{ kind, target, detail: `terraform ${verb} ${second}`.trim(), force: args.has('auto-approve', 'force') }],
  });
  if (args.has('help', 'version')) return facts;
  switch (verb) {
    case 'destroy':
    case 'destroy-all':
      return effect('infra-destroy');
    case 'console': {
      // Its functions read files.
      const text = inv.stdin.value === null ? '' : render(inv.stdin.value);
      const files = [...text.matchAll(/\b(?:file\w*|templatefile)\(\s*"([^"]+)"/g)].map(
        (match): FileDraft => ({ op: 'read', path: known(match[1] as string) }),
      );
      return { ...facts, files };
    }
    case 'apply-all':
    case 'apply':
      return effect(args.has('destroy') ? 'infra-destroy' : 'infra-apply');
    case 'import':
    case 'taint':
    case 'untaint':
    case 'refresh':
      return effect('infra-apply', second || where);
    case 'force-unlock':
      return effect('infra-apply', second);
    case 'state':
      if (/^(rm|push|replace-provider)$/.test(second))
        return effect('infra-destroy', say(...args.operands.slice(shift + 2)) || 'state');
      if (second === 'mv') return effect('infra-apply', say(...args.operands.slice(shift + 2)));
      return second === 'pull' ? { ...facts, ...printsSecret('terraform state') } : facts;
    case 'workspace':
      return second === 'delete' ? effect('infra-destroy', words[shift + 2] ?? '') : facts;
    case 'output':
      return args.has('raw') && /pass|secret|token|key/i.test(words.slice(shift + 1).join(' '))
        ? { ...facts, ...printsSecret(`output ${second}`) }
        : facts;
    case 'plan':
      return {
        ...facts,
        files: args.values('out', 'generate-config-out').map((path): FileDraft => ({ op: 'write', path })),
      };
    case 'login':
    case 'logout':
      return { ...facts, effects: [{ kind: 'account', target: second || 'app.terraform.io' }] };
    case 'init':
      return {
        ...facts,
        ...(args.has('from-module')
          ? { effects: [{ kind: 'install-remote', target: say(args.value('from-module')) }] }
          : {}),
      };
    default:
      return facts;
  }
}

const PULUMI: readonly VerbRow[] = [
  [/^(destroy|stack rm|state (delete|unprotect)|env rm|org|down)\b/, 'infra-destroy'],
  [
    /^(up|update|refresh|import|cancel|stack (import|rename|change-secrets-provider)|state (rename|upgrade|move)|watch|deployment run|config env)\b/,
    'infra-apply',
  ],
  [/./, null],
];

const STACKS: readonly VerbRow[] = [
  [/^(destroy|remove|rm|delete|svc delete|app delete|env delete|down)\b/, 'infra-destroy'],
  [
    /^(deploy|bootstrap|import|rollback|migrate|svc (deploy|init)|env deploy|job deploy|pipeline deploy|secret (set|remove)|invoke|up|refresh)\b(?! local)/,
    'infra-apply',
  ],
  [/./, null],
];

function ansible(args: Parsed, inv: Invocation): Outcome {
  if (args.has('check', 'syntax-check', 'list-tasks', 'list-tags', 'list-hosts', 'version')) return { stdout: QUIET };
  const inventory = args.value('inventory');
  const hosts = args.operands[0];
  const here =
    inv.name === 'ansible'
      ? /^(localhost|127\.0\.0\.1)$/.test(word(hosts))
      : /^(localhost|127\.0\.0\.1),?$/.test(word(inventory)) || word(args.value('connection')) === 'local';
  const files = reads(args.values('vault-password-file'));
  if (inv.name !== 'ansible') {
    const books = inv.name === 'ansible-playbook' ? args.operands : [];
    const target = say(...args.operands) || say(args.value('url'));
    const opaque = here || inv.name === 'ansible-pull';
    return {
      files: [...files, ...reads(books)],
      opaque,
      stdout: QUIET,
      effects: [{ kind: 'infra-apply', target, detail: inv.name, certain: !here }],
    };
  }
  const module = word(args.value('module-name')).replace(/^(ansible\.(builtin|legacy)\.)/, '') || 'command';
  const given = args.value('args') ?? [];
  const place = here ? {} : { elsewhere: 'remote' as const };
  const root = args.has('become') ? { privileged: true } : {};
  if (/^(shell|command|raw|script|expect)$/.test(module)) {
    const text = starts(given, 'cmd=') ? drop(given, 4) : given;
    const nested: Nested = { kind: 'script', via: 'ansible', text, ...place, ...root };
    return {
      files,
      nested: [nested],
      stdout: QUIET,
      effects: here ? [] : [{ kind: 'infra-apply', target: say(hosts), detail: `ansible ${module}` }],
    };
  }
  if (/^(ping|setup|debug|stat|gather_facts|find|getent|assert|service_facts|package_facts)$/.test(module))
    return { files, stdout: QUIET };
  return {
    files: here ? [...files, ...moduleFiles(module, given)] : files,
    stdout: QUIET,
    opaque: true,
    effects: [
      { kind: here ? 'privilege' : 'infra-apply', target: say(hosts), detail: `ansible ${module}`, certain: !here },
    ],
  };
}

/** Files that a module of ansible changes on this machine: `path=`, `dest=`, with `state=absent`. */
function moduleFiles(module: string, given: Value): readonly FileDraft[] {
  const fields = new Map(
    (textOf(given) ?? '')
      .split(/\s+/)
      .map((f) => [f.split('=')[0] as string, f.split('=').slice(1).join('=')] as const),
  );
  const path = fields.get('path') ?? fields.get('dest') ?? fields.get('name');
  if (
    !path ||
    !/^(file|copy|template|lineinfile|blockinfile|replace|get_url|unarchive|synchronize|git|assemble|fetch)$/.test(
      module,
    )
  )
    return [];
  return [{ op: fields.get('state') === 'absent' ? 'delete' : 'write', path: [path], recursive: true }];
}

const MANAGERS: readonly VerbRow[] = [
  [
    /^(acl token (read|create|list)|keyring -?list|kv get -?.*secret|var get|operator (api|autopilot get)|intention get)/,
    null,
  ],
  [
    /^(job (stop|dispatch)|stop|system gc|volume (delete|deregister)|namespace delete|kv delete|catalog deregister|force-leave|leave|snapshot restore|node (delete|purge|bulk delete)|client delete|cookbook delete|data bag delete|destroy-(controller|model|unit)|destroy|kill-controller|remove-(application|unit|machine)|node eligibility|acl \S+ delete|config delete|intention delete|operator raft remove-peer)/,
    'infra-destroy',
  ],
  [
    /^(build|run|job (run|revert|scale|periodic force)|kv (put|import)|deploy|apply|agent|ssh|bootstrap|cookbook upload|upload|deployment (promote|fail)|alloc (stop|restart|exec|signal)|exec|scale|config write|intention create|add-model|add-unit|upgrade|plan up|script run|task run|command run|command|install|up)\b/,
    'infra-apply',
  ],
  [/./, null],
];

function manager(args: Parsed, inv: Invocation): Outcome {
  const { name } = inv;
  if (/^(puppet|chef-client|chef-solo|chef-apply|salt-call)$/.test(name) && !args.has('noop', 'test', 'help')) {
    const verb = word(args.operands[0]);
    if (name === 'puppet' && !/^(apply|agent)$/.test(verb)) return { subcommand: verb, stdout: QUIET };
    const run =
      /cmd\.(run|shell|exec)/.test(verb) && args.operands[1]
        ? [{ kind: 'script' as const, via: name, text: args.operands[1] }]
        : [];
    const code = name === 'puppet' ? /exec\s*\{\s*['"]([^'"]+)/.exec(say(args.value('e')))?.[1] : null;
    return {
      subcommand: verb,
      opaque: true,
      effects:
        run.length > 0
          ? []
          : [{ kind: 'privilege', target: name, detail: 'brings this machine into a described state', certain: false }],
      nested: code ? [{ kind: 'script', via: name, text: [code] }] : run,
    };
  }
  if (/^(salt|salt-ssh|bolt|knife|fab|pyinfra)$/.test(name)) {
    const [first, second, third] = args.operands;
    const text =
      name.startsWith('salt') && /^cmd\./.test(word(second))
        ? third
        : name === 'bolt' && word(first) === 'command'
          ? third
          : name === 'knife' && word(first) === 'ssh'
            ? third
            : name === 'pyinfra' && word(second) === 'exec'
              ? third
              : null;
    if (text)
      return {
        subcommand: word(first),
        nested: [{ kind: 'script', via: name, text, elsewhere: 'remote' }],
        effects: [{ kind: 'infra-apply', target: say(first), detail: `${name} on other machines` }],
      };
    if (/^salt/.test(name))
      return {
        effects: /^(test|grains|pillar|status|network|pkg\.(list|version))/.test(word(second))
          ? []
          : [{ kind: 'infra-apply', target: say(first), detail: `${name} ${say(second)}` }],
      };
  }
  const exec = /^(exec|alloc exec)/.exec(pathOf(args, 2));
  const at = exec ? args.operands.slice(exec[0] === 'exec' ? 1 : 3) : [];
  const nested: Nested[] = at.length > 0 ? [{ kind: 'argv', via: name, argv: at, elsewhere: 'remote' }] : [];
  return merge(resourceCommand(args, name, MANAGERS), { nested });
}
