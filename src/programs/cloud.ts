import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { type Cloud, cloudPrograms, homeFile, remoteShell, sqlText } from './cloud-command.ts';
import type { Program } from './define.ts';
import { word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { printsSecret } from './subcommands.ts';
import { say } from './words.ts';

const CLOUDS: readonly Cloud[] = [
  {
    names: ['gcloud'],
    summary: 'resources of a Google Cloud project',
    from: 1,
    groups:
      /^(run|builds?|services|jobs|functions|logging|logs|versions|events?|tags|metrics|export|dns|projects|organizations|transfer|patch-deployments|attached|images|import)$/,
    rows: [
      [/^(alpha |beta )?storage (cp|mv|rsync|ls|cat|du|hash)\b/, null],
      [
        /^(auth (application-default )?print-(access|identity)-token|secrets versions access|kms (decrypt|asymmetric-decrypt)|iam service-accounts keys create|config config-helper|sql (connect|generate-login-token))/,
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
      if (/^(alpha |beta )?storage (cp|mv|rsync)/.test(path))
        return objects(
          path.replace(/^(?:alpha |beta )?storage /, ''),
          args,
          inv,
          args.operands.findIndex((o) => textOf(o) === 'storage') + 2,
        );
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
      [/^(serve|signurl|presign|share)\b/, 'share-publicly'],
      [/^(mount|rcd|nfsmount)\b/, 'listen'],
      [/^(config (show|dump|file|reconnect)|obscure|reveal)/, 'secret-read'],
      [
        /^(cp|mv|copy|copyto|sync|rsync|move|moveto|put|mirror|upload|ls|lsd|lsl|lsf|lsjson|cat|du|stat|hash|md5sum|sha1sum|check|size|tree|about|version|ver|head|show|query|get|download|extract|find|diff|signurl|presign|share|listremotes|ncdu|info|la|mk|fsck|cryptcheck|config|alias|admin info)\b/,
        null,
      ],
    ],
    more: (path, args, inv) => objects(path, args, inv),
    options:
      'm, o:, h:, r R, project_id:, location:, use_legacy_sql?, n max_rows:, nouse_legacy_sql, transfers:, checkers:, include:, exclude:, delete, d, x:, e, P progress, acl-public, C:',
  },
  {
    names: ['az'],
    summary: 'resources of an Azure subscription',
    from: 1,
    groups:
      /^(network|monitor|deployment|tag|image|snapshot|version|query|repos|pipelines|boards|feature|events?|logs?|lock|restore-point)$/,
    rows: [
      [/^webapp config appsettings list|^functionapp config appsettings list|^acr login.*expose-token/, 'secret-read'],
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
      args.has('expose-token')
        ? printsSecret('a token of the registry')
        : /^rest\b/.test(path)
          ? rest(args)
          : /^(vm run-command invoke|ssh vm|container exec|containerapp exec|webapp ssh)/.test(path)
            ? remoteShell(args.value('command'), args, inv, 'az')
            : {},
    options: 'scripts:, command-id:, exec-command:, method m:, uri u url:, body b:, expose-token',
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
      [/^auth token/, 'secret-read'],
      [/^(?:\S+ )*\S+-(?:delete|rm|remove|destroy)\b/, 'infra-destroy'],
      [/^(auth|account|config|iam|version|help|login|logout|configure|regions|setup|target)\b/, null],
      [
        /^(registry|kubernetes|k8s|databases?) (docker-config|kubeconfig show|connection|pool get|user (get|list))|^\S+ kubeconfig-view|^token issue/,
        'secret-read',
      ],
      [/^(push|deploy|create|scale|restage|start|stop|restart|bind|set|map|run)\b/, 'infra-apply'],
      [/^(delete|d|delete-\S+)\b/, 'infra-destroy'],
    ],
  },
];

/** Command lines of clouds and object stores, from their references. */
export const cloud: readonly Program[] = cloudPrograms(CLOUDS);

const CLOUD_URL = /^(gs|s3|b2|az|oss|swift):\/\/|^https:\/\/[\w.-]+\.blob\.core\.windows\.net\//;

/** `az rest`: a request to the management interface with the person's rights. */
function rest(args: Parsed): Outcome {
  const method = word(args.value('method')).toLowerCase();
  const target = say(args.value('uri'));
  const kind: EffectDraft['kind'] | null =
    method === 'delete' ? 'infra-destroy' : /^(put|post|patch)$/.test(method) ? 'infra-apply' : null;
  return { effects: kind ? [{ kind, target, detail: `az rest ${method} ${target}` }] : [] };
}

/** Copies between this machine and an object store; the first operands are the words of the command. */
function objects(path: string, args: Parsed, inv: Invocation, verbs = 1): Outcome {
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
  const operands = args.operands.slice(verbs);
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
