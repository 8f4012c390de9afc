import type { Invocation, Outcome } from '../model/program.ts';
import { type Cloud, cloudPrograms, remoteShell, sqlText } from './cloud-command.ts';
import type { Program } from './define.ts';
import { reads } from './drafts.ts';
import type { Parsed } from './options.ts';
import { contentOf } from './streams.ts';
import { merge } from './subcommands.ts';
import { joinWords, say } from './words.ts';

const PLATFORMS: readonly Cloud[] = [
  {
    // Two programs of one name: Capacitor, which copies web assets into native projects, and Capistrano.
    names: ['cap'],
    summary: 'native projects of a web app; deployments over ssh',
    rows: [
      [/^(sync|copy|update|doctor|migrate|ls|list|init|open|build|add|run|plugin\S*|telemetry)\b/, null],
      [/\b(deploy|rollback|setup|invoke|restart|start|stop)\b|:/, 'infra-apply'],
    ],
  },
  {
    names: ['heroku'],
    summary: 'apps on Heroku',
    rows: [
      [
        /^(auth:token|config( |$|:get$|:get (?!(NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|ENV|LANG|TZ|PORT|LOG_LEVEL|DEBUG)$))|pg:credentials|redis:credentials|authorizations:(create|info))/,
        'secret-read',
      ],
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
      /^run\b/.test(path)
        ? remoteShell(joinWords(args.operands.slice(1)), args, inv, 'heroku run')
        : /^(pg:)?psql\b/.test(path)
          ? sqlText(args.value('c') ?? args.value('command') ?? inv.stdin.value, false, 'Heroku Postgres')
          : /^local:run\b/.test(path)
            ? { nested: [{ kind: 'script', via: 'heroku local:run', text: joinWords(inv.argv.slice(2)) }] }
            : {},
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
    options: 'C command:, u user:, select',
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
    names: ['netlify', 'ntl', 'netlify-cli'],
    summary: 'sites on Netlify',
    rows: [
      [
        /^(env:clone|status|dev|build|link|unlink|login|logout|logs?|watch|open|sites:list|api list|functions:(list|serve|create|invoke)|init|help|switch|recipes|blobs:(get|list)|addons:list|clone)\b/,
        null,
      ],
      [/^env:(get|list)/, 'secret-read'],
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
    more: (path, args, inv) => {
      if (!/^d1 execute/.test(path)) return {};
      const file = args.value('file');
      return merge(
        sqlText(args.value('command'), args.has('local'), 'D1'),
        file ? { files: reads([file]), ...sqlText(contentOf(inv, file).value, args.has('local'), 'D1') } : {},
      );
    },
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
      'begin',
      'encore',
      'defang',
      'dploy',
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
    names: ['firebase', 'firebase-tools'],
    summary: 'apps and data on Firebase',
    rows: [
      [/^(login:ci|functions:secrets:access|functions:config:get|apps:sdkconfig)/, 'secret-read'],
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

/** Command lines of platforms for apps and data, from their references. */
export const platforms: readonly Program[] = cloudPrograms(PLATFORMS);

/** `supabase db reset` makes the local database anew unless it is told to use the linked project. */
function localReset(path: string, args: Parsed, inv: Invocation): Outcome {
  if (inv.name === 'turso' && /^db shell/.test(path))
    return sqlText(args.operands[3] ?? null, false, say(args.operands[2]));
  return {};
}
