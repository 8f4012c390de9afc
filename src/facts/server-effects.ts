import type { EffectDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import { type Fields, textIn } from './fields.ts';
import { wordsOf } from './tool-words.ts';

/** What a tool of a kind of server does, told by its name and the fields that matter. */
interface Row {
  readonly servers: RegExp;
  /** The words of the tool's name, joined by `_`. */
  readonly tool: RegExp;
  readonly when?: (fields: Fields) => boolean;
  readonly kind: EffectKind;
  readonly detail?: string;
}

const CLUSTERS = /kube|k8s|helm|openshift|argo/i;
const FORGES = /git(?:hub|lab|ea)|forgejo|bitbucket/i;
const PLATFORMS =
  /vercel|netlify|heroku|railway|fly|cloudflare|render|supabase|neon|planetscale|digitalocean|aws|azure|gcp|gcloud|firebase|upstash|git(?:hub|lab)/i;
const KEEPERS =
  /1password|onepassword|bitwarden|vault|keychain|secrets?[-_]?manager|doppler|infisical|keeper|lastpass|akeyless/i;

const isSecretKind = (fields: Fields): boolean =>
  /^secrets?(?:\/|$)/i.test(textIn(fields, 'resourceType', 'resource_type', 'kind', 'resource', 'type') ?? '') &&
  (textIn(fields, 'name', 'resourceName') !== null ||
    /json|yaml|template/i.test(textIn(fields, 'output', 'format') ?? ''));
/** A call that only says what it would do. */
export const isDry = (fields: Fields): boolean => fields['dryRun'] === true || fields['dry_run'] === true;
const isPublic = (fields: Fields): boolean =>
  fields['private'] === false || fields['public'] === true || fields['visibility'] === 'public';
const asks = (fields: Fields): boolean =>
  /^(?:status|history)$/.test(textIn(fields, 'subCommand', 'subcommand', 'action') ?? '');

function cypher(verb: RegExp): (fields: Fields) => boolean {
  return (fields) => verb.test(textIn(fields, 'query', 'cypher', 'statement') ?? '');
}

const ROWS: readonly Row[] = [
  {
    servers: CLUSTERS,
    tool: /^(?:install|upgrade|rollback|sync)_(?:release|chart|application|app)s?$/,
    kind: 'infra-apply',
  },
  { servers: /pulumi/i, tool: /^(?:up|update|refresh|import)$/, kind: 'infra-apply' },
  {
    servers: /aws|azure|gcp|gcloud|iam/i,
    tool: /^(?:put|attach|detach|add|create|update|set)_.*(?:polic(?:y|ies)|roles?|users?|access_keys?|acls?|permissions?)$/,
    kind: 'infra-apply',
    detail: 'who may do what',
  },
  {
    servers: /jenkins|circleci|buildkite|teamcity|travis|drone/i,
    tool: /^(?:trigger|run|create|start|rerun)_(?:build|pipeline|job|workflow)s?$/,
    kind: 'infra-apply',
  },
  {
    servers: /launchdarkly|flagsmith|unleash|growthbook|statsig/i,
    tool: /^(?:create|update|toggle|enable|disable|archive)_.*(?:flags?|gates?|features?)$/,
    kind: 'infra-apply',
  },
  {
    servers: /okta|auth0|entra|keycloak|cognito|workos|clerk/i,
    tool: /^(?:create|update|assign|add|remove|reset|activate|deactivate|suspend|unassign|set)_/,
    kind: 'infra-apply',
    detail: 'who may do what',
  },
  { servers: /redis|valkey/i, tool: /^(?:h?del|unlink|srem|zrem|lrem|xdel|json_del)$/, kind: 'db-delete' },
  { servers: /neo4j|memgraph|cypher/i, tool: /./, when: cypher(/\b(?:DELETE|DROP)\b/i), kind: 'db-delete' },
  { servers: /neo4j|memgraph|cypher/i, tool: /./, when: cypher(/\b(?:CREATE|MERGE|SET|REMOVE)\b/i), kind: 'db-write' },
  {
    servers: /docker|podman|compose/i,
    tool: /down$/,
    when: (fields) => fields['volumes'] === true,
    kind: 'infra-destroy',
  },
  {
    servers: /docker|podman|container/i,
    tool: /^(?:run|create|start)_|_(?:run|create)$|^(?:run|create)$/,
    when: (fields) => ['pid_mode', 'pidMode', 'ipc_mode', 'ipcMode'].some((name) => fields[name] === 'host'),
    kind: 'container-host',
    detail: "the host's processes",
  },
  {
    servers: CLUSTERS,
    tool: /^(?:kubectl_)?(?:apply|create|patch|scale|rollout|edit|set|replace|expose|autoscale|taint)(?:_|$)|_(?:create_or_update|create|update|patch|scale|run|sync)$|^(?:helm_(?:install|upgrade|rollback)|(?:install|upgrade)_helm_chart|node_management|cordon|uncordon|drain)/,
    when: (fields) => !isDry(fields) && !asks(fields),
    kind: 'infra-apply',
  },
  { servers: CLUSTERS, tool: /^(?:helm_uninstall|uninstall_helm_chart|cleanup)|_uninstall$/, kind: 'infra-destroy' },
  {
    servers: CLUSTERS,
    tool: /(?:^|_)get(?:_|$)/,
    when: isSecretKind,
    kind: 'secret-read',
    detail: 'a secret of the cluster',
  },
  {
    servers: FORGES,
    tool: /^(?:create|update|edit)_(?:repository|repo|project)$/,
    when: isPublic,
    kind: 'share-publicly',
  },
  { servers: FORGES, tool: /^create_(?:gist|snippet)$/, when: isPublic, kind: 'share-publicly' },
  {
    servers: FORGES,
    tool: /^(?:add|create|update|set|edit|remove)_.*(?:collaborators?|members?|permissions?|deploy_keys?|webhooks?|hooks?|protection|rulesets?)$/,
    kind: 'infra-apply',
    detail: 'who may do what',
  },
  {
    servers: FORGES,
    tool: /^(?:run|trigger|dispatch|create)_(?:workflow|workflow_dispatch|pipeline)(?:_|$)/,
    kind: 'infra-apply',
  },
  { servers: FORGES, tool: /^(?:archive|transfer)_(?:repository|repo|project)$/, kind: 'infra-destroy' },
  {
    servers: PLATFORMS,
    tool: /^(?:create|set|update|add|upsert|put|edit|remove)_(?:\w+_)?(?:env|env_var|env_vars|environment_variables?|envvars?|secrets?|variables?|config_vars)$/,
    kind: 'infra-apply',
    detail: 'variables of a deployment',
  },
  {
    servers: PLATFORMS,
    tool: /^(?:pause|suspend|disable|restart|scale|rollback|promote|restore)_(?:project|database|db|instance|cluster|service|app|branch|deployment|server)s?$/,
    kind: 'infra-apply',
  },
  {
    servers: /docker|podman|container/i,
    tool: /^(?:remove|delete|rm)_volumes?$|^(?:system|volumes?)_prune$|^prune_(?:system|volumes?)$/,
    kind: 'infra-destroy',
  },
  {
    servers: /docker|podman|container/i,
    tool: /^(?:docker_)?prune$/,
    when: (fields) => fields['volumes'] === true,
    kind: 'infra-destroy',
  },
  {
    servers: /mongo|atlas|firestore|dynamo/i,
    tool: /^(?:insert|update|replace|rename|upsert|create)_(?:one|many|documents?|collection|item|index)/,
    kind: 'db-write',
  },
  {
    servers: KEEPERS,
    tool: /(?:^|_)(?:get|read|reveal|show|lookup|inject|export)(?:_|$)/,
    when: (fields) => Object.keys(fields).length > 0,
    kind: 'secret-read',
  },
];

/** What the servers that many people run do, beyond what every name says. */
export function serverEffects(
  { server, tool }: { readonly server: string; readonly tool: string },
  records: readonly Fields[],
): readonly EffectDraft[] {
  const name = wordsOf(tool).join('_');
  return ROWS.filter((row) => row.servers.test(server) && row.tool.test(name))
    .filter((row) => !row.when || records.some(row.when))
    .map((row) => ({ kind: row.kind, target: tool, detail: row.detail ?? `${server} ${tool}` }));
}
