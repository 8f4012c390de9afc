import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { pathOf } from './verbs.ts';
import { atDashes, say } from './words.ts';

/** One keeper of secrets: which of its subcommands print them, change them, take them away. */
interface Keeper {
  readonly names: readonly string[];
  readonly prints: RegExp;
  readonly changes?: RegExp;
  readonly destroys?: RegExp;
  /** Subcommands that run a command with secrets in its environment. */
  readonly runs?: RegExp;
  readonly options?: readonly string[];
}

const KEEPERS: readonly Keeper[] = [
  {
    names: [
      'docker-credential-desktop',
      'docker-credential-osxkeychain',
      'docker-credential-secretservice',
      'docker-credential-wincred',
      'docker-credential-pass',
      'docker-credential-ecr-login',
      'docker-credential-gcloud',
    ],
    prints: /^(get|list)/,
    changes: /^store/,
    destroys: /^erase/,
  },
  { names: ['blackbox_cat', 'blackbox_decrypt_all_files'], prints: /./ },
  { names: ['eyaml'], prints: /^(decrypt|edit)/ },
  { names: ['ec2-metadata', 'ec2metadata', 'cloud-init'], prints: /^(query|.*credentials|$)/ },
  {
    names: ['op'],
    prints: /^(read|item get|inject|document get|item export|connect token|service-account)/,
    changes: /^(item (create|edit|share)|document (create|edit)|vault (create|edit|user|group)|user|group)/,
    destroys: /^(item|document|vault|user|group) delete/,
    runs: /^run/,
  },
  {
    names: ['bw', 'bws', 'rbw'],
    prints: /^(get|list items|export|unlock|secret (get|list)|code|secret$|login --raw)/,
    changes: /^(create|edit|import|share|restore|add|generate -?|secret (create|edit))/,
    destroys: /^(delete|secret delete|remove|purge)/,
    runs: /^run/,
  },
  {
    names: ['vault', 'bao'],
    prints:
      /^(kv get|read|print token|token (create|lookup)|login|unwrap|operator (init|generate-root|unseal)|write -?.*(creds|decrypt)|kv export)/,
    changes:
      /^(kv (put|patch|enable-versioning|rollback)|write|policy write|auth (enable|tune)|secrets (enable|tune|move)|token (renew|revoke)|operator|lease|audit)/,
    destroys:
      /^(kv (delete|destroy|metadata delete)|delete|secrets disable|auth disable|policy delete|operator raft remove-peer)/,
  },
  {
    names: ['lpass', 'keepassxc-cli', 'kpcli', 'dashlane', 'dcli', 'nordpass', 'enpass-cli', 'proton-pass', 'pass-cli'],
    prints: /^(show|export|ls --password|clip|-c|extract|attachment-export|p|password|get|otp|totp|read|note|secret)/,
    changes: /^(insert|add|edit|generate|mv|cp|git)/,
    destroys: /^(rm|remove|delete)/,
  },
  {
    names: [
      'doppler',
      'infisical',
      'chamber',
      'envkey',
      'akeyless',
      'phase',
      'teller',
      'berglas',
      'summon',
      'aws-secrets',
      'conjur',
      'keyhub',
      'varlock',
      'fnox',
      'gitleaks-env',
    ],
    prints:
      /^(secrets( get| download)?($| )|export|read|secret (get|list)|get|get-secret-value|access|list-services -e|env|variable get|show|decrypt|print|reveal|token|keypair)/,
    changes: /^(secrets? (set|upload|create)|write|import|set|update|create|encrypt|variable set)/,
    destroys: /^(secrets? delete|delete|destroy)/,
    runs: /^(run|exec)/,
  },
];

/** Keepers of secrets, from their manuals. */
export const secretsManagers: readonly Program[] = [
  ...KEEPERS.map((keeper) =>
    define({
      names: keeper.names,
      manual: `${keeper.names[0]} documentation`,
      summary: 'keeps secrets',
      options:
        'field f:, vault:, account:, session:, format:, fields:, output o out-file:, address:, namespace:, mount:, project p:, config c:, env-file:, env e:, cache:, token t:, a:, s:, l:, w, g, only-names, raw, plain, help h, version v, path:, command:, n no-newline, q quiet, names, no-masking, key k:',
      style: { abbreviations: false, singleDashLong: /^(vault|security)$/.test(keeper.names[0] ?? '') },
      run: (args, inv) => keep(keeper, args, inv.argv),
    }),
  ),
  define({
    names: ['sops'],
    manual: 'sops README',
    summary: 'files with encrypted values',
    options:
      'd decrypt, e encrypt, i in-place, r rotate, output:, extract:, set:, input-type:, output-type:, config:, k kms:, p pgp:, a age:, v, s, ignore-mac',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      const named =
        /^(decrypt|encrypt|exec-env|exec-file|edit|rotate|publish|set|unset|updatekeys|filestatus|groups|keyservice)$/.test(
          verb,
        );
      const files = named ? args.operands.slice(1) : args.operands;
      if (/^exec-(env|file)$/.test(verb)) {
        const nested: Nested[] = files[1] ? [{ kind: 'script', via: `sops ${verb}`, text: files[1] }] : [];
        return { subcommand: verb, nested, files: reads(files.slice(0, 1)) };
      }
      const out = args.value('output');
      const writes: FileDraft[] =
        args.has('in-place', 'rotate') || /^(rotate|set|unset|updatekeys|edit)$/.test(verb)
          ? files.slice(0, 1).map((path) => ({ op: 'write', path }))
          : [];
      if (out) writes.push({ op: 'write', path: out });
      // Without a verb a file is opened in an editor, in clear.
      const edits = !named && files.length > 0 && !args.has('encrypt', 'rotate', 'set');
      const opens = args.has('decrypt') || verb === 'decrypt' || verb === 'edit' || edits;
      const facts: Outcome = { subcommand: verb, files: [...reads(files.slice(0, 1)), ...writes] };
      return opens
        ? { ...facts, ...printsSecret(say(files[0])), ...(out || args.has('in-place') ? { stdout: QUIET } : {}) }
        : { ...facts, stdout: inv.stdin };
    },
  }),
  define({
    names: ['age', 'rage', 'age-keygen', 'rage-keygen', 'age-plugin-yubikey'],
    manual: 'age(1)',
    summary: 'encrypts files',
    options:
      'd decrypt, e encrypt, p passphrase, a armor, r recipient:, R recipients-file:, i identity:, o output:, j:, y',
    run: (args, inv) => {
      const out = args.value('output');
      const files: FileDraft[] = [
        ...reads([...args.operands, ...args.values('i', 'R')]),
        ...(out ? [{ op: 'write' as const, path: out }] : []),
      ];
      if (/keygen$/.test(inv.name))
        return { files, ...(out || args.has('y') ? { stdout: QUIET } : printsSecret('a new private key')) };
      return args.has('decrypt')
        ? { files, ...printsSecret(say(...args.operands)), ...(out ? { stdout: QUIET } : {}) }
        : { files, stdout: QUIET };
    },
  }),
];

function keep(keeper: Keeper, args: Parsed, argv: readonly Value[]): Outcome {
  const path = args.operands
    .map((o) => textOf(o) ?? '')
    .slice(0, 4)
    .join(' ');
  const name = keeper.names[0] as string;
  const facts: Outcome = { subcommand: pathOf(args, 2), stdout: QUIET };
  if (args.has('help', 'version')) return facts;
  const out = args.value('output');
  const files: FileDraft[] =
    out && !/^(json|yaml|text|env|plain|table)$/.test(word(out)) ? [{ op: 'write', path: out }] : [];
  if (keeper.runs?.test(path)) {
    const { after } = atDashes(argv);
    const command = args.value('command');
    const rest = after ?? args.operands.slice(1);
    const nested: Nested[] = command
      ? [{ kind: 'script', via: `${name} run`, text: command }]
      : rest.length > 0
        ? [{ kind: 'argv', via: `${name} run`, argv: rest }]
        : [];
    return { ...facts, nested, stdout: { value: null, taints: ['secret'] } };
  }
  const target = say(...args.operands.slice(1)) || name;
  if (keeper.destroys?.test(path))
    return { ...facts, effects: [{ kind: 'infra-destroy', target, detail: `${name} ${path}` }] };
  if (keeper.prints.test(path) && !args.has('only-names', 'names')) {
    return merge(facts, { files, ...printsSecret(target) });
  }
  if (path === '' && /^(pass|op)$/.test(name)) return facts;
  if (keeper.changes?.test(path))
    return { ...facts, effects: [{ kind: 'infra-apply', target, detail: `${name} ${path}` }] };
  return facts;
}
