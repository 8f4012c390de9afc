import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { classifySql } from './sql.ts';
import { merge } from './subcommands.ts';
import { pathOf, resourceCommand, type VerbRow } from './verbs.ts';
import { atDashes, joinWords, say } from './words.ts';

/** One cloud's command line: the paths that its verbs alone don't tell. */
interface Cloud {
  readonly names: readonly string[];
  readonly summary: string;
  readonly rows: readonly VerbRow[];
  readonly groups?: RegExp;
  readonly from?: number;
  readonly options?: readonly string[];
  readonly more?: (path: string, args: Parsed, inv: Invocation) => Outcome;
}

const COMMON = [
  ...[
    'project p:',
    'region r:',
    'zone:',
    'format:',
    'output o:',
    'filter:',
    'limit:',
    'account:',
    'configuration:',
    'name n:',
    'resource-group g:',
    'subscription:',
  ],
  ...[
    'query:',
    'app a:',
    'config c:',
    'env e environment:',
    'token t:',
    'org:',
    'scope S:',
    'team:',
    'tag:',
    'image i:',
    'file f:',
    'site s:',
    'dir d:',
    'message m:',
    'remote:',
  ],
  ...[
    'command:',
    'location l:',
    'type:',
    'size:',
    'value:',
    'data:',
    'only:',
    'except:',
    'description:',
    'context:',
    'cwd:',
    'sort-by:',
    'dry-run',
    'recursive',
    'force',
    'yes y',
    'quiet q',
    'json',
    'help h',
    'version',
    'verbose',
    'prod',
    'remote',
    'local',
    'linked',
    'all',
    'async',
  ],
];

const CLOUDS: readonly Cloud[] = [
  {
    names: ['gcloud'],
    summary: 'resources of a Google Cloud project',
    from: 1,
    groups:
      /^(run|builds?|services|jobs|functions|logging|logs|versions|events?|tags|metrics|export|dns|projects|organizations|transfer|patch-deployments|attached|images|import)$/,
    rows: [
      [
        /^(auth (application-default )?print-(access|identity)-token|secrets versions access|iam service-accounts keys create|config config-helper|sql (connect|generate-login-token))/,
        'secret-read',
      ],
      [
        /^(info|help|version|topic|feedback|config (list|get|configurations (list|describe))|auth list|components list|logging (read|tail|logs list)|builds (list|log|describe)|compute (ssh|scp|config-ssh)|beta interactive)/,
        null,
      ],
      [/^projects (add|remove|set)-iam|^organizations (add|set)-iam|^iam /, 'account'],
      [/^(auth|config|components)\b/, null],
    ],
    more: (path, args, inv) => {
      if (/^(alpha |beta )?compute ssh/.test(path))
        return remoteShell(args.value('command'), args, inv, 'gcloud compute ssh');
      if (/^auth (login|revoke|application-default login)|^config (set|unset)/.test(path))
        return homeFile(inv, '.config/gcloud/configurations/config_default');
      if (/^components (install|update|remove)/.test(path))
        return { effects: [{ kind: 'install-global', target: say(...args.operands.slice(2)) }] };
      return {};
    },
  },
  {
    names: [
      'gsutil',
      'gcloud-storage',
      'bq',
      's3cmd',
      's4cmd',
      'b2',
      'azcopy',
      'ossutil',
      'mc',
      'mcli',
      'rclone',
      's5cmd',
    ],
    summary: 'objects in the cloud',
    rows: [
      [
        /^(mb|rewrite|acl|iam|defacl|cors|lifecycle|retention|versioning|website|setmeta|pipe|load|insert|update|cpr|setacl|policy|anonymous|event|ilm|rcat|copyurl)\b/,
        'infra-apply',
      ],
      [
        /^(rb|rm|del|delete|deletefile|purge|rmdir|rmdirs|cleanup|remove|truncate|partial|undo|delete-file-version|abort)\b/,
        'infra-destroy',
      ],
      [/^(mount|serve|rcd|nfsmount)\b/, 'listen'],
      [/^(config (show|dump|file|reconnect)|obscure|reveal)/, 'secret-read'],
      [
        /^(cp|mv|copy|copyto|sync|rsync|move|moveto|put|mirror|upload|ls|lsd|lsl|lsf|lsjson|cat|du|stat|hash|md5sum|sha1sum|check|size|tree|about|version|ver|head|show|query|get|download|extract|find|diff|signurl|presign|share|listremotes|ncdu|info|la|mk|fsck|cryptcheck|config|alias|admin info)\b/,
        null,
      ],
    ],
    more: (path, args, inv) => objects(path, args, inv),
    options: [
      'm',
      'o:',
      'h:',
      'r R',
      'project_id:',
      'location:',
      'use_legacy_sql?',
      'n max_rows:',
      'nouse_legacy_sql',
      'transfers:',
      'checkers:',
      'include:',
      'exclude:',
      'delete',
      'd',
      'x:',
      'e',
      'P progress',
      'acl-public',
      'C:',
    ],
  },
  {
    names: ['az'],
    summary: 'resources of an Azure subscription',
    from: 1,
    groups:
      /^(network|monitor|deployment|tag|image|snapshot|version|query|repos|pipelines|boards|feature|events?|logs?|lock|restore-point)$/,
    rows: [
      [
        /^account get-access-token|^keyvault (secret|key|certificate) (show|download|backup)|^storage account (keys list|show-connection-string|generate-sas)|^\S+( \S+)? (list-keys|show-connection-string|list-connection-strings|list-credentials|get-credentials|list-publishing-credentials|credential (show|list))|^cosmosdb keys list|^acr (login --expose|credential show)|^ad sp (create-for-rbac|credential reset)|^storage (container|blob|share) generate-sas/,
        'secret-read',
      ],
      [
        /^(account (list|show|set)|login|logout|version|upgrade|find|interactive|config|extension (list|show)|rest|feedback|self-test|bicep (build|version|lint)|vm list)/,
        null,
      ],
      [/^(ad|role) /, 'account'],
      [/^group delete|^\S+( \S+)* (delete|purge|deallocate|remove)\b/, 'infra-destroy'],
    ],
    more: (path, args, inv) =>
      /^(vm run-command invoke|ssh vm|container exec|containerapp exec|webapp ssh)/.test(path)
        ? remoteShell(args.value('command'), args, inv, 'az')
        : {},
    options: ['scripts:', 'command-id:', 'exec-command:'],
  },
  {
    names: [
      'doctl',
      'hcloud',
      'linode-cli',
      'vultr-cli',
      'vultr',
      'civo',
      'scw',
      'oci',
      'ibmcloud',
      'exo',
      'openstack',
      'aliyun',
      'tccli',
      'upctl',
      'ovhai',
      'equinix',
      'metal',
      'yc',
      'fastly',
      'akamai',
      'cf',
      'aptible',
      'platform',
      'cx',
    ],
    summary: 'resources of a cloud account',
    from: 1,
    groups:
      /^(events?|tags?|image|images|snapshot|compute|database|registry|apps|projects?|network|load-balancer|run)$/,
    rows: [
      [/^(auth|account|config|iam|version|help|login|logout|configure|regions|setup|target)\b/, null],
      [
        /^(registry|kubernetes|k8s|databases?) (docker-config|kubeconfig show|connection|pool get|user (get|list))|^\S+ kubeconfig-view|^token issue/,
        'secret-read',
      ],
      [/^(push|deploy|create|scale|restage|start|stop|restart|bind|set|map|run)\b/, 'infra-apply'],
      [/^(delete|d|delete-\S+)\b/, 'infra-destroy'],
    ],
  },
  {
    names: ['heroku'],
    summary: 'apps on Heroku',
    rows: [
      [/^(auth:token|config( |$|:get)|pg:credentials|redis:credentials|authorizations:(create|info))/, 'secret-read'],
      [
        /^(pg:reset|pg:push|apps:(destroy|delete)|addons:destroy|pipelines:destroy|domains:clear|spaces:destroy|destroy|pg:credentials:destroy|keys:(clear|remove)|pg:backups:delete|config:unset)/,
        'infra-destroy',
      ],
      [
        /^(logs|ps|apps|releases|status|pg(:(info|ps|diagnose|backups|outliers|locks))?|addons|domains|pipelines|keys|local|git|open|auth|login|whoami|help|version|regions|update|psql|run:logs|container:login|plugins)$|^(auth|git|local|pg:(info|ps|backups$)|logs|ps$|apps:info|features|buildpacks$|login)\b/,
        null,
      ],
      [
        /^(run|ps:|config:set|addons:create|releases:rollback|maintenance:|container:(push|release)|pg:(copy|promote|upgrade|backups:restore)|domains:add|apps:create|create|scale|restart|pipelines:promote|buildpacks:)/,
        'infra-apply',
      ],
    ],
    more: (path, args, inv) =>
      /^run\b/.test(path) ? remoteShell(joinWords(args.operands.slice(1)), args, inv, 'heroku run') : {},
  },
  {
    names: ['fly', 'flyctl'],
    summary: 'apps on Fly.io',
    rows: [
      [/^(auth token|tokens? create|secrets? (list|show) --show|auth docker)/, 'secret-read'],
      [
        /^(ssh|console|proxy|sftp|logs?|status|dashboard|doctor|auth|version|platform|regions?|config (show|validate|display|env)|info|releases|orgs? (list|show)|open|ping|wireguard list|agent)\b/,
        null,
      ],
      [
        /^(launch|deploy|scale|secrets? (set|unset|import|deploy)|machines? (run|start|stop|update|clone|restart)|postgres|pg|redis|mysql|volumes? (create|extend|fork)|certs? add|ips? allocate|apps? (create|restart|move))/,
        'infra-apply',
      ],
    ],
    options: ['C command:', 'u user:', 'select'],
    more: (path, args, inv) =>
      /^(ssh console|machine exec|console)/.test(path) ? remoteShell(args.value('command'), args, inv, 'fly ssh') : {},
  },
  {
    names: ['vercel', 'now', 'vc'],
    summary: 'deployments on Vercel',
    rows: [
      [
        /^(env (pull|ls)|pull|dev|build|ls|list|inspect|logs|log|whoami|login|logout|link|domains (ls|inspect)|dns ls|certs ls|alias ls|teams?|switch|project (ls|inspect)|projects ls|open|help|git (connect|disconnect)|bisect|init|telemetry|target|secrets? ls|integration list)\b/,
        null,
      ],
      [
        /^(remove|rm|project (rm|remove)|domains? rm|env rm|alias rm|certs rm|dns rm|secrets? rm|blob (del|store remove)|cache purge|rollback)/,
        'infra-destroy',
      ],
      [
        /^(deploy|env (add|update)|alias|domains? (add|buy|move|transfer-in)|promote|redeploy|certs|dns|blob put|integration add|project add|rolling-release)/,
        'infra-apply',
      ],
    ],
    more: (path, args) =>
      path === '' || /^[./]/.test(path)
        ? {
            effects: args.has('help', 'version')
              ? []
              : [
                  {
                    kind: 'infra-apply',
                    target: args.has('prod') ? 'production' : 'a preview',
                    detail: 'vercel deploys',
                  },
                ],
          }
        : {},
  },
  {
    names: ['netlify', 'ntl'],
    summary: 'sites on Netlify',
    rows: [
      [
        /^(env:(get|list|clone)|status|dev|build|link|unlink|login|logout|logs?|watch|open|sites:list|api list|functions:(list|serve|create|invoke)|init|help|switch|recipes|blobs:(get|list)|addons:list|clone)\b/,
        null,
      ],
      [/^(sites?:delete|env:unset|blobs:delete|addons:delete)/, 'infra-destroy'],
      [
        /^(deploy|env:(set|import)|sites?:create|blobs:set|addons:create|lm:|api (create|update|delete))/,
        'infra-apply',
      ],
    ],
  },
  {
    names: ['wrangler', 'cloudflare', 'miniflare', 'flarectl'],
    summary: 'workers and data on Cloudflare',
    from: 0,
    groups: /^(tail|versions|deployments|pages|pubsub|queues|dispatch-namespace|types)$/,
    rows: [
      [
        /^(dev|types|whoami|login|logout|init|docs|tail|generate|telemetry|check|build|pages (dev|functions build)|d1 (execute|info|insights|list|migrations (list|create)|time-travel info)|kv( |:)(key|namespace) (get|list)|kv:key (get|list)|r2 (object get|bucket list)|secret list|deployments? (list|status|view)|versions? (list|view)|queues list)\b/,
        null,
      ],
      [
        /^(delete|kv( |:)(key|namespace|bulk) delete|kv:\S+ delete|r2 (bucket|object) delete|d1 (delete|time-travel restore)|queues (delete|purge)|secret (delete|bulk)|pages (project|deployment) delete|rollback|hyperdrive delete|vectorize delete)/,
        'infra-destroy',
      ],
      [
        /^(deploy|publish|d1 (create|import|migrations apply)|kv( |:)\S+ (put|create)|kv:\S+ (put|create)|r2 \S+ (create|put)|secret put|pages (deploy|publish|project create)|queues create|versions? (upload|deploy)|triggers|cert)/,
        'infra-apply',
      ],
    ],
    more: (path, args) => (/^d1 execute/.test(path) ? sqlText(args.value('command'), args.has('local'), 'D1') : {}),
  },
  {
    names: [
      'railway',
      'render',
      'northflank',
      'koyeb',
      'zeabur',
      'sst-ion',
      'porter',
      'qovery',
      'dokku',
      'caprover',
      'kamal',
      'coolify',
      'nhost',
      'appwrite',
      'pm2-deploy',
      'deployctl',
      'modal',
      'replicate',
      'spin',
      'fermyon',
      'surge',
      'begin',
      'encore',
      'defang',
      'dploy',
      'cap',
      'mup',
    ],
    summary: 'apps on a platform',
    rows: [
      [/^(variables?( list)?$|vars?$|variables --kv|config:show|secrets? (show|reveal))/, 'secret-read'],
      [
        /^(status|logs?|login|logout|whoami|list|ls|link|unlink|open|docs|environment( |$)|service$|services( list)?|version|help|init|dev|app:info|apps:list|apps|details|config|shell|ssh|connect|run|token)\b/,
        null,
      ],
      [
        /^(down|delete|destroy|remove|apps:destroy|teardown|volume delete|project delete|\S+:destroy|app (stop|remove)|volume delete)/,
        'infra-destroy',
      ],
      [
        /^(up|deploy|redeploy|variables? (--)?set|add|rollback|setup|restart|create|publish|apps:create|config:set|volume (add|create)|push|serve)/,
        'infra-apply',
      ],
    ],
    more: (path, args, inv) =>
      /^(run|shell)\b/.test(path) && args.operands.length > 1
        ? { nested: [{ kind: 'argv', via: `${inv.name} run`, argv: args.operands.slice(1) }] }
        : {},
  },
  {
    names: ['firebase'],
    summary: 'apps and data on Firebase',
    rows: [
      [/^(login:ci|functions:secrets:access|apps:sdkconfig)/, 'secret-read'],
      [
        /^(firestore:delete|database:remove|functions:delete|hosting:(disable|sites:delete)|apps:delete|functions:secrets:(destroy|prune)|firestore:databases:delete|ext:uninstall|auth:delete|remoteconfig:rollback)/,
        'infra-destroy',
      ],
      [
        /^(emulators|serve|login|logout|use|projects:list|apps:list|functions:(list|log|shell|config:get)|database:get|database:profile|hosting:(channel:list|sites:list)|help|init|open|target|auth:export|firestore:indexes|ext:(info|list)|experiments|setup)/,
        null,
      ],
      [
        /^(deploy|database:(set|push|update|import)|functions:(config:set|secrets:set)|hosting:(channel:deploy|clone)|auth:import|appdistribution|remoteconfig|ext:install|projects:create|apps:create)/,
        'infra-apply',
      ],
    ],
    groups: /^x^/,
  },
  {
    names: [
      'supabase',
      'neonctl',
      'neon',
      'pscale',
      'turso',
      'xata',
      'convex-cli',
      'prismic',
      'sanity',
      'hasura-cli',
      'nhost-cli',
      'upstash',
      'edgedb',
      'gel',
      'fauna',
      'cockroachcloud',
      'ccloud',
      'atlas-cli',
      'confluent',
      'aiven',
      'avn',
    ],
    summary: 'databases in the cloud',
    rows: [
      [
        /^(secrets list|projects api-keys|connection-string|password create|db tokens create|auth (token|api-tokens)|service (user-creds|connection-info)|api-key create)/,
        'secret-read',
      ],
      [
        /^(db reset|projects? delete|branches? delete|functions? delete|database delete|dataset delete|storage rm|db destroy|group destroy|stop --no-backup|branch delete|service terminate|kafka (topic|cluster) delete|domains delete|secrets unset|sso remove|migration squash)/,
        'infra-destroy',
      ],
      [
        /^(start|stop|status|login|logout|link|unlink|init|gen|db (diff|dump|lint|pull|start|show|list|shell|inspect)|inspect|migration (new|list)|test|functions? (new|serve|list|download)|projects? (list|info|get)|branches? (list|get|schema-diff)|services|completion|me|orgs|set-context|database (list|show)|auth (login|whoami|status)|dev|shell|connect|branch (list|show|diff)|kafka topic (list|describe|consume)|service (list|get|logs))\b/,
        null,
      ],
      [
        /^(db push|migration (up|repair|fetch)|functions? deploy|projects? create|secrets set|storage (cp|mv)|branches? create|seed|db (create|import)|deploy(-request)?|config push|dataset (create|import)|group create|postgres-config|snippets|domains|vanity-subdomains|network-restrictions|ssl-enforcement)/,
        'infra-apply',
      ],
    ],
    more: (path, args, inv) => localReset(path, args, inv),
  },
];

/** Command lines of clouds and platforms, from their references. */
export const cloud: readonly Program[] = CLOUDS.map((one) =>
  define({
    names: one.names,
    manual: `${one.names[0]} command-line reference`,
    summary: one.summary,
    options: withoutClashes(COMMON, one.options ?? []),
    style: { abbreviations: false },
    run: (args, inv) =>
      merge(
        resourceCommand(args, inv.name, one.rows, one.groups ?? null, one.from ?? 0),
        args.has('help', 'version') ? {} : (one.more?.(pathOf(args), args, inv) ?? {}),
      ),
  }),
);

/** The common options without those a cloud defines itself. */
function withoutClashes(common: readonly string[], own: readonly string[]): readonly string[] {
  const taken = new Set(own.flatMap((line) => line.replace(/[:?]$/, '').split(' ')));
  const kept = common.map((line) => {
    const end = /[:?]$/.exec(line)?.[0] ?? '';
    const names = line
      .replace(/[:?]$/, '')
      .split(' ')
      .filter((n) => !taken.has(n));
    return names.length > 0 ? names.join(' ') + end : '';
  });
  return [...own, ...kept.filter((line) => line !== '')];
}

function remoteShell(command: Value | null, args: Parsed, inv: Invocation, via: string): Outcome {
  const { after } = atDashes(inv.argv);
  const text = command && command.length > 0 ? command : after ? joinWords(after) : null;
  const nested: Nested[] = text && text.length > 0 ? [{ kind: 'script', via, text, elsewhere: 'remote' }] : [];
  const script = args.value('scripts') ?? args.value('exec-command');
  if (script) nested.push({ kind: 'script', via, text: script, elsewhere: 'remote' });
  return { nested };
}

function homeFile(inv: Invocation, path: string): Outcome {
  return { files: [{ op: 'write', path: [`${inv.world.home}/${path}`] }] };
}

function sqlText(text: Value | null, local: boolean, where: string): Outcome {
  if (!text || local) return {};
  const effects = classifySql(say(text)).flatMap((s): EffectDraft[] =>
    s.kind && s.kind !== 'db-read' && !s.scratch
      ? [{ kind: s.kind, target: s.target || where, detail: `${s.detail} (${where})` }]
      : [],
  );
  return { effects };
}

/** `supabase db reset` makes the local database anew unless it is told to use the linked project. */
function localReset(path: string, args: Parsed, inv: Invocation): Outcome {
  if (inv.name === 'turso' && /^db shell/.test(path))
    return sqlText(args.operands[3] ?? null, false, say(args.operands[2]));
  return {};
}

const CLOUD_URL = /^(gs|s3|b2|az|oss|swift):\/\/|^https:\/\/[\w.-]+\.blob\.core\.windows\.net\//;

/** Copies between this machine and an object store. */
function objects(path: string, args: Parsed, inv: Invocation): Outcome {
  const verb = path.split(' ')[0] ?? '';
  if (inv.name === 'bq') return /^query\b/.test(path) ? sqlText(args.operands[1] ?? null, false, 'BigQuery') : {};
  const isCloud = (v: Value | undefined): boolean => {
    const text = v ? (textOf(v) ?? say(v)) : '';
    if (CLOUD_URL.test(text)) return true;
    return (
      /^(rclone|mc|mcli)$/.test(inv.name) &&
      (/^[\w-]+:/.test(text) || (inv.name !== 'rclone' && /^[\w-]+\//.test(text) && !text.startsWith('./')))
    );
  };
  const operands = args.operands.slice(1);
  if (
    !/^(cp|mv|copy|sync|rsync|move|put|get|copyto|moveto|mirror|upload|download)$/.test(verb) ||
    operands.length === 0
  )
    return {};
  const to = operands[operands.length - 1] as Value;
  const from = operands.slice(0, -1);
  const files: FileDraft[] = [];
  for (const source of from)
    if (!isCloud(source) && word(source) !== '-') files.push({ op: 'read', path: source, recursive: true });
  if (!isCloud(to) && word(to) !== '-' && operands.length > 1) files.push({ op: 'write', path: to, recursive: true });
  const deletes = verb === 'sync' || (/^(rsync|mirror)$/.test(verb) && args.has('d', 'delete'));
  if (deletes && !isCloud(to)) files.push({ op: 'delete', path: to, recursive: true, contentsOnly: true });
  const taken = /^(mv|move|moveto)$/.test(verb) && from.some(isCloud);
  const wipes = deletes && isCloud(to) && (inv.name === 'rclone' || args.has('d', 'delete'));
  if (args.has('dry-run')) return {};
  const effect = (kind: EffectDraft['kind'], target: Value): EffectDraft => ({
    kind,
    target: say(target),
    detail: `${inv.name} ${verb}`,
  });
  if (taken || wipes) return { files, effects: [effect('infra-destroy', wipes ? to : (from[0] as Value))] };
  const uploads =
    isCloud(to) || (operands.length === 1 && verb !== 'get' && verb !== 'download') || /^(put|upload)$/.test(verb);
  return { files, effects: uploads ? [effect('infra-apply', to)] : [] };
}
