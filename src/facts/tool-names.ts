import type { EffectDraft } from '../model/effect.ts';
import type { Fields } from './fields.ts';
import { textIn } from './fields.ts';
import { isDry, serverEffects } from './server-effects.ts';
import { wordsOf } from './tool-words.ts';

const DESTROYS = /^(?:delete|drop|destroy|purge|truncate|terminate|wipe|flushall|flushdb|deprovision|decommission)$/;
/** What a server keeps for the conversation itself, or what its user makes again without a thought. */
const OWN_THINGS =
  /^(?:comments?|reactions?|labels?|drafts?|todos?|tasks?|memor(?:y|ies)|entit(?:y|ies)|observations?|relations?|nodes?|sessions?|tabs?|pages?|breakpoints?|bookmarks?|notes?|lines?|cells?|rows?range|shapes?|layers?|elements?|text|selection|cookies?|reminders?|watch(?:es)?|alerts?|filters?|views?|files?|directory|directories|folders?|path|symlink)$/;

/**
 * What the name of a server's tool says it does, where its fields hold nothing that could be read: `delete_project`,
 * `drop-database`, an `operation` called DeleteBucket.
 */
export function namedEffects(
  { server, tool }: { readonly server: string; readonly tool: string },
  records: readonly Fields[],
): readonly EffectDraft[] {
  const effects: EffectDraft[] = [];
  const words = wordsOf(tool);
  const says = (text: string): boolean => {
    const all = wordsOf(text);
    return all.some((word) => DESTROYS.test(word)) && !all.some((word) => OWN_THINGS.test(word));
  };
  const operation = records
    .map((fields) => textIn(fields, 'operation', 'action', 'operation_name', 'api'))
    .find((text) => text !== null && says(text));
  const local = /^(?:files?|filesystem|fs|desktop|memory|browser|playwright|puppeteer|ide|editor|obsidian)/i.test(
    server,
  );
  const remoteFile = /git(?:hub|lab|ea)|bitbucket|s3|bucket|drive|storage/i.test(server) && words.includes('file');
  const resets = words.includes('reset') && /^(?:branch|database|db|project|stack)s?$/.test(words.at(-1) ?? '');
  if (operation || (!local && (says(tool) || resets || (remoteFile && words.some((word) => DESTROYS.test(word))))))
    effects.push({ kind: 'infra-destroy', target: operation ?? tool, detail: `${server} ${operation ?? tool}` });
  if (
    /terraform|tofu|pulumi|kube|k8s|helm|cloudformation/i.test(server) &&
    words.some((word) => /^(?:apply|deploy)$/.test(word)) &&
    !records.some(isDry)
  )
    effects.push({ kind: 'infra-apply', target: tool, detail: `${server} ${tool}` });
  else if (
    !local &&
    words.includes('deploy') &&
    !/^(?:get|list|read|describe|search|check|validate)$/.test(words[0] ?? '')
  )
    effects.push({ kind: 'infra-apply', target: tool, detail: `${server} ${tool}` });
  if (
    words.some((word) => /^(?:read|get|reveal|show|fetch)$/.test(word)) &&
    words.some((word) => /^(?:secrets?|passwords?|credentials?)$/.test(word))
  )
    effects.push({ kind: 'secret-read', target: tool, detail: `${server} ${tool}` });
  if (words.some((word) => /^(?:kill|terminate|signal|stop)$/.test(word)))
    for (const { pid } of records)
      if (typeof pid === 'number' || typeof pid === 'string')
        effects.push({ kind: 'process-kill', target: String(pid) });
  effects.push(...serverEffects({ server, tool }, records));
  for (const fields of records) effects.push(...gitEffects(server, words, fields), ...hostEffects(fields));
  return effects;
}

function gitEffects(server: string, words: readonly string[], fields: Fields): readonly EffectDraft[] {
  if (!/git/i.test(server) && !words.includes('git')) return [];
  if (words.includes('reset') && (fields['mode'] === 'hard' || fields['hard'] === true))
    return [
      { kind: 'vcs-reset-hard', target: textIn(fields, 'commit', 'ref', 'target') ?? 'HEAD', detail: 'reset --hard' },
    ];
  if (words.includes('push') && (fields['force'] === true || fields['mode'] === 'force'))
    return [
      { kind: 'vcs-force-push', target: textIn(fields, 'branch', 'ref', 'remote') ?? '', detail: 'a forced push' },
    ];
  const mode = textIn(fields, 'mode', 'operation', 'action');
  const force = fields['force'] === true || mode === 'force';
  if (words.includes('branch') && mode === 'delete' && force)
    return [{ kind: 'vcs-delete-branch', target: textIn(fields, 'branchName', 'branch', 'name') ?? '', force: true }];
  if (words.includes('stash') && /^(?:drop|clear)$/.test(mode ?? ''))
    return [{ kind: 'vcs-rewrite', target: 'stash', detail: `stash ${mode} loses stashed work` }];
  if (words.includes('worktree') && mode === 'remove' && force)
    return [{ kind: 'vcs-worktree-remove', target: textIn(fields, 'worktreePath', 'path') ?? '', force: true }];
  if (words.includes('checkout') && force)
    return [{ kind: 'vcs-discard', target: '.', detail: 'checkout --force: every uncommitted change' }];
  if (words.includes('clean') && fields['force'] === true) return [{ kind: 'vcs-clean', target: '.', detail: 'clean' }];
  return [];
}

/** `{"/": {"bind": "/host"}}`, as the engine's Python client takes mounts. */
function isMap(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && Object.keys(value).some((key) => key.startsWith('/'));
}

/** A container that gets the host: a mount of `/`, the engine's socket, `privileged`. */
function hostEffects(fields: Fields): readonly EffectDraft[] {
  const mounts = ['volumes', 'mounts', 'binds', 'volume'].flatMap((name) => {
    const value = fields[name];
    return (Array.isArray(value) ? value : [value]).flatMap((one): string[] => {
      if (typeof one === 'string') return [one];
      if (isMap(one)) return Object.keys(one).map((path) => `${path}:`);
      const source =
        one !== null && typeof one === 'object'
          ? textIn(one as Fields, 'source', 'src', 'host', 'hostPath', 'Source')
          : null;
      return source === null ? [] : [`${source}:`];
    });
  });
  const host = mounts.find((mount) => /^\/(?::|etc\b|root\b|home\/?:|var\/run\/docker\.sock)/.test(mount));
  if (host !== undefined) return [{ kind: 'container-host', target: host, detail: `a mount of ${host}` }];
  return fields['privileged'] === true && 'image' in fields
    ? [{ kind: 'container-host', target: 'privileged', detail: 'a privileged container' }]
    : [];
}
