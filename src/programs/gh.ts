import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { known, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { forgeApi } from './gh-api.ts';
import { FROM_NETWORK, fetched, sendsOf } from './leaving.ts';
import type { Parsed } from './options.ts';
import { below, lastComponent } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { pathOf } from './verbs.ts';
import { atDashes, joinWords, say, starts } from './words.ts';

/** `-h` and `-w` are flags here, though some subcommands give them a value. */
const OPTIONS =
  'R repo:, t title subject:, b body:, F body-file notes-file file:, H head:, B base:, l label:, a assignee app:, m milestone:, q jq query:, template T:, json:, L limit:, s state search:, S:, A author:, r reviewer ref:, p project pattern:, n notes name:, D dir:, d desc description:, filename f:, e env:, o org:, u user:, c codespace comment:, hostname:, h help, workflow:, w web, j job:, commit:, target:, discussion-category:, visibility:, remote:, source:, add-label:, remove-label:, add-assignee:, remove-assignee:, add-reviewer:, remove-reviewer:, branch:, reason:, message:, description:, homepage:, gitignore:, license:, clone-dir:, token:, value:, field:, raw-field:, archive:, notes-start-tag:, match-head-commit:, author-email:, event:, created:, k key:, sort:, order:, owner:, language:, public, private, internal, draft, fill, yes y, force, admin, squash, merge, rebase, delete-branch, auto, approve, request-changes, comments, show-token, clobber, watch, log, log-failed, exit-status, secure-storage, with-token, cleanup-tag, shell, all, prerelease, latest, generate-notes, push, clone, patch, name-only, required, fail-fast, verbose, debug, failed, undo, disable-auto, yaml, diff, version';

const TALK =
  /^(pr|issue|mr|incident|discussion|label|milestone|project|todo|status) (create|new|comment|note|review|edit|update|close|reopen|ready|lock|unlock|pin|unpin|transfer|develop|approve|revoke|subscribe|unsubscribe|todo|item-\S+|field-\S+|link|unlink|copy|mark-template|delete-branch|rebase|update-branch|merge|clone)\b/;

/** Command lines of code forges, from their manuals. */
export const gh: readonly Program[] = [
  define({
    names: ['gh', 'glab', 'gh.exe', 'forgejo-cli', 'fj', 'berg'],
    manual: 'gh manual, glab documentation',
    summary: 'pull requests, issues, releases of a forge',
    options: OPTIONS,
    style: { abbreviations: false },
    run: (args, inv) => {
      const first = inv.argv[1];
      if (word(first) === 'api') return withSecrets(forgeApi(inv.argv.slice(1), inv), inv, inv.argv.slice(2), []);
      return forge(args, inv);
    },
  }),
  define({
    names: ['hub'],
    manual: 'hub(1)',
    summary: 'git with a forge beside it',
    options: [],
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      if (!/^(api|pull-request|issue|release|gist|create|delete|fork|ci-status|pr|sync|browse|compare)$/.test(verb)) {
        return { nested: [{ kind: 'argv', via: 'hub', argv: [known('git'), ...inv.argv.slice(1)] }] };
      }
      const target = say(...args.operands.slice(1));
      if (verb === 'api') return forgeApi(inv.argv.slice(1), inv);
      const kind: EffectDraft['kind'] | undefined = (
        {
          delete: 'infra-destroy',
          create: 'infra-apply',
          release: 'publish',
          gist: 'share-publicly',
          'pull-request': 'remote-comment',
          issue: 'remote-comment',
          fork: 'remote-comment',
        } as const
      )[verb];
      return { subcommand: verb, effects: kind ? [{ kind, target, detail: `hub ${verb}` }] : [] };
    },
  }),
];

function forge(args: Parsed, inv: Invocation): Outcome {
  const path = pathOf(args, 2);
  const rest = args.operands.slice(2);
  const target = say(...rest) || say(args.value('title'));
  const facts: Outcome = { subcommand: path, stdout: QUIET };
  if (args.has('help', 'version')) return facts;
  const effect = (
    kind: EffectDraft['kind'],
    what = target || say(args.value('repo')) || 'this repository',
  ): Outcome => ({
    ...facts,
    effects: [{ kind, target: what, detail: `${inv.name} ${path}` }],
  });
  const sent = [...args.values('body-file')].filter((p) => word(p) !== '-');
  const talk = (kind: EffectDraft['kind']): Outcome =>
    withSecrets(
      merge(effect(kind), { files: reads(sent) }),
      inv,
      args.values('body', 'title', 'notes', 'message', 'value'),
      sent,
    );
  const write = (to: Value): FileDraft => ({ op: 'create', path: to, recursive: true });

  if (/^pr merge|^mr (merge|accept)/.test(path)) return effect(args.has('admin') ? 'infra-apply' : 'remote-comment');
  if (/^(pr|mr) checkout/.test(path)) return args.has('force') ? effect('vcs-discard') : facts;
  if (/^(issue|mr|discussion|label|milestone|project|incident) delete/.test(path)) return effect('infra-destroy');
  if (TALK.test(path)) return talk('remote-comment');
  switch (path) {
    case 'gist create':
    case 'gist edit':
    case 'gist new':
    case 'snippet create': {
      const files = [...rest, ...args.values('filename').filter(() => path === 'snippet create')].filter(
        (p) => word(p) !== '-',
      );
      const stdin = files.length === 0 && !inv.stdinIsOpen ? [inv.stdin] : [];
      const address: Value = ['https://gist.github.com/'];
      const sends = sendsOf(inv, { files, streams: stdin, texts: args.values('description') }, address);
      return merge(effect('share-publicly', say(...files) || 'standard input'), {
        files: reads(files),
        dests: [{ address, sends: sends === 'secret' ? 'secret' : 'file', method: 'POST' }],
      });
    }
    case 'gist delete':
    case 'repo delete':
    case 'repo archive':
    case 'run delete':
    case 'codespace delete':
    case 'cs delete':
    case 'secret delete':
    case 'secret remove':
    case 'variable delete':
    case 'variable remove':
    case 'repo deploy-key':
    case 'ruleset delete':
    case 'environment delete':
    case 'ci delete':
      return effect('infra-destroy');
    case 'repo create':
    case 'repo new':
      return args.has('public') ? effect('share-publicly') : effect('infra-apply');
    case 'repo edit':
      return word(args.value('visibility')) === 'public' ? effect('share-publicly') : effect('infra-apply');
    case 'repo rename':
    case 'repo unarchive':
    case 'repo transfer':
    case 'repo update':
    case 'secret set':
    case 'variable set':
    case 'variable update':
    case 'workflow run':
      // A workflow that is named for its checks changes nothing; one that may deploy does.
      if (
        /^(?:ci|tests?|lint|check|checks|build|e2e|unit|typecheck|codeql)(?:[-_ ](?:ci|tests?|lint|checks?|build|e2e|unit))*(?:\.ya?ml)?$/i.test(
          word(rest[0]),
        )
      )
        return effect('remote-comment');
      return effect('infra-apply');
    case 'workflow enable':
    case 'workflow disable':
    case 'ci run':
    case 'pipeline run':
    case 'ci trigger':
    case 'schedule create':
    case 'schedule delete':
    case 'schedule run':
    case 'cluster agent':
    case 'deploy-key add':
    case 'repo mirror':
      return merge(effect('infra-apply'), {
        files: reads([...args.values('env').filter((p) => /env$/.test(word(p))), ...sent], { certain: false }),
      });
    case 'run rerun':
    case 'run cancel':
    case 'ci retry':
    case 'ci cancel':
    case 'repo sync':
    case 'repo star':
      return effect('remote-comment');
    case 'release create':
    case 'release upload':
    case 'release edit':
      return withSecrets(
        merge(effect('publish', say(rest[0])), { files: reads(rest.slice(1)) }),
        inv,
        args.values('notes'),
        rest.slice(1),
      );
    case 'release delete':
    case 'release delete-asset':
      return effect('unpublish');
    case 'release download':
    case 'run download':
      return {
        ...facts,
        files: [
          ...[write(args.value('dir') ?? ['.'])].map((f) => ({ ...f, partial: true })),
          ...[...args.values('pattern'), ...args.values('output')]
            .filter((name) => !/[*?[]/.test(word(name)))
            .map((name) => ({ ...write(below(args.value('dir') ?? [], name)), content: fetched(name) })),
        ],
      };
    case 'gist view':
      return { ...facts, ...FROM_NETWORK };
    case 'repo fork':
      return inv.argv.some((w) => /^--clone(?:=true)?$/.test(word(w)))
        ? merge(effect('remote-comment'), { files: cloned(rest[0], undefined) })
        : effect('remote-comment');
    case 'repo clone':
    case 'gist clone':
      return { ...facts, files: cloned(rest[0], rest[1]) };
    case 'config get':
      return rest.some((r) => /oauth_token|^token$/.test(word(r)))
        ? { ...facts, ...printsSecret(`the ${inv.name} token`) }
        : facts;
    case 'auth token':
      return { ...facts, ...printsSecret(`the ${inv.name} token`) };
    case 'auth status':
      return args.has('show-token', 't') ? { ...facts, ...printsSecret(`the ${inv.name} token`) } : facts;
    case 'auth login':
    case 'auth logout':
    case 'auth refresh':
    case 'auth switch':
    case 'ssh-key add':
    case 'ssh-key delete':
    case 'gpg-key add':
    case 'gpg-key delete':
      return effect('account', say(args.value('hostname')) || target || inv.name);
    case 'auth setup-git':
      return { ...facts, files: [{ op: 'write', path: below([inv.world.home], ['.gitconfig']) }] };
    case 'config set':
      return {
        ...facts,
        files: [
          {
            op: 'write',
            path: below(
              [inv.world.home],
              [inv.name === 'glab' ? '.config/glab-cli/config.yml' : '.config/gh/config.yml'],
            ),
          },
        ],
      };
    case 'alias set':
    case 'alias import':
      return args.has('shell') || rest.some((r) => starts(r, '!'))
        ? effect('vcs-config', `${inv.name} alias ${say(rest[0])}`)
        : facts;
    case 'extension install':
    case 'extensions install':
    case 'ext install':
      // Any repository can be one, and no registry stands between.
      return effect(/^(?:github|cli)\//.test(word(rest[0])) ? 'install-global' : 'install-remote');
    case 'extension upgrade':
      return effect('install-global');
    case 'codespace ssh':
    case 'cs ssh': {
      const { after } = atDashes(inv.argv);
      return after && after.length > 0
        ? {
            ...facts,
            nested: [{ kind: 'script', via: `${inv.name} codespace ssh`, text: joinWords(after), elsewhere: 'remote' }],
          }
        : facts;
    }
    case 'codespace create':
    case 'cs create':
      return effect('infra-apply');
    case 'codespace ports':
    case 'cs ports':
      return rest.some((r) => word(r) === 'visibility') ? effect('share-publicly') : facts;
    default:
      return facts;
  }
}

/** Adds a destination when what is said or attached holds a secret. */
function withSecrets(outcome: Outcome, inv: Invocation, texts: readonly Value[], files: readonly Value[]): Outcome {
  const address: Value = ['https://api.github.com/'];
  const streams = inv.stdinIsOpen || !inv.stdin.taints.includes('secret') ? [] : [inv.stdin];
  const sends = sendsOf(inv, { texts, files, streams }, address);
  return sends === 'secret' ? merge(outcome, { dests: [{ address, sends, method: 'POST' }] }) : outcome;
}

/** The directory that a clone makes: all of it came from the network. */
function cloned(source: Value | undefined, into: Value | undefined): readonly FileDraft[] {
  const name = into && !starts(into, '-') ? into : source && lastComponent(source);
  if (!name) return [];
  const content: Value = [{ hole: `a clone of ${say(source)}`, like: 'any', taint: 'network' }];
  return [{ op: 'create', path: name, recursive: true, content }];
}
