import type { EffectDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { render, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, effect, isStdin, reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { QUIET } from './streams.ts';

/** Programs that keep, make and use keys and other secrets. */
export const keys: readonly Program[] = [
  define({
    names: ['gpg', 'gpg2', 'gpgv', 'gpgsm', 'sq'],
    manual: 'gpg(1)',
    summary: 'encrypts, signs, and keeps keys',
    options:
      'armor a, o output:, r recipient:, R hidden-recipient:, u local-user:, d decrypt, e encrypt, s sign, b detach-sign, c symmetric, k list-keys list-public-keys, K list-secret-keys, verify, clear-sign clearsign, export, export-secret-keys, export-secret-subkeys, export-ssh-key:, import, recv-keys receive-keys, search-keys, send-keys, refresh-keys, keyserver:, gen-key, full-generate-key full-gen-key, quick-generate-key quick-gen-key, generate-key, delete-keys delete-key, delete-secret-keys delete-secret-key, delete-secret-and-public-key, edit-key, batch, yes, no-tty, passphrase:, passphrase-fd:, passphrase-file:, pinentry-mode:, homedir:, options:, trust-model:, no-default-keyring, keyring:, secret-keyring:, dearmor, enarmor, import-ownertrust, export-ownertrust, card-status, status-fd:, with-colons, fingerprint, show-keys, print-md:, auto-key-locate:, default-key:, cipher-algo:, photo-viewer:, exec-path:, keyid-format:, keyserver-options:, q quiet, v verbose, n dry-run, t textmode, z:, compress-algo:, locate-keys, list-packets, gen-revoke, quick-add-key',
    run: (args) => gnupg(args),
  }),
  define({
    names: ['secret-tool', 'kwallet-query', 'keyring', 'keyctl', 'lssecret'],
    manual: 'secret-tool(1), kwallet-query(1), keyctl(1)',
    summary: 'reads and writes the keyring',
    options: 'all, unlock, label:, l, r:, w:, f:',
    run: (args, { name }) => {
      const verb = word(args.operands[0]);
      if (name === 'kwallet-query' ? args.has('r', 'l') : /^(lookup|search|get|print|pipe|read|show)$/.test(verb))
        return shows(args.operands.slice(1), name);
      if (/^(store|set|clear|del|revoke|unlink|purge|lock)$/.test(verb))
        return { effects: [effect('account', 'keyring', `${name} ${verb}: changes the keyring`)] };
      return {};
    },
  }),
  define({
    names: ['security'],
    manual: 'security(1), macOS: find-*-password and dump-keychain show secrets',
    summary: 'reads and writes keychains',
    style: { stopAtOperand: true },
    run: (args) => {
      const [first, ...rest] = args.operands;
      const verb = word(first);
      if (/^(dump-keychain|export|export-keychain)$/.test(verb))
        return { subcommand: verb, ...shows(rest, 'security') };
      if (/^find-(generic|internet)-password$/.test(verb)) {
        const prints = rest.some((value) => /^-[a-zA-Z]*[wg]/.test(word(value)));
        return { subcommand: verb, ...(prints ? shows(rest, 'security') : {}) };
      }
      if (
        /^(list-keychains|default-keychain|find-identity|find-certificate|verify-cert|show-keychain-info|help|error|cms|)$/.test(
          verb,
        )
      )
        return { subcommand: verb };
      return {
        subcommand: verb,
        effects: [effect('account', 'keychain', `security ${verb}: changes keychains or trust`)],
      };
    },
  }),
  define({
    names: ['pass', 'gopass', 'passage'],
    manual: 'pass(1)',
    summary: 'password store',
    options:
      'c clip?, q qrcode?, n no-symbols, f force, m multiline, e echo, r recursive, p path:, i in-place, o password, line:',
    run: (args, { name }) => {
      const [first, ...rest] = args.operands;
      const verb = word(first);
      if (first === undefined || /^(ls|list|find|search|help|version|git|init|grep)$/.test(verb)) {
        return verb === 'grep' ? shows(rest, name) : { subcommand: verb };
      }
      if (/^(insert|add|edit|generate|rm|remove|delete|mv|rename|cp|copy|set)$/.test(verb)) {
        return {
          subcommand: verb,
          effects: [effect('account', rest.map(render).join(' '), `${name} ${verb}: changes the password store`)],
        };
      }
      return shows(/^(show|get|cat|otp)$/.test(verb) ? rest : args.operands, name);
    },
  }),
  define({
    names: ['ssh-keygen'],
    manual: 'ssh-keygen(1)',
    summary: 'makes and shows keys',
    options:
      'f:, t:, b:, C:, N:, P:, m:, O:, l, y, e, i, p, c, R:, F:, H, D:, E:, I:, s:, n:, V:, z:, Y:, a:, q, v, A, B, L, M:, U, k, Q, r:, g, G:, T:, W:, Z:, w:, K, h, u, o, x',
    run: (args, { world: { home } }) => {
      const key = args.values('f');
      if (args.has('y')) return { files: reads(key) };
      if (args.has('l', 'B', 'e', 'i', 'L', 'F', 'r', 'Q'))
        return { files: args.has('e', 'i') ? reads(key) : drafts('list', key), stdout: QUIET };
      if (args.has('R')) return { files: drafts('write', key.length > 0 ? key : [inHome(home, '.ssh/known_hosts')]) };
      if (args.has('Y', 's')) return { files: reads([...key, ...args.values('s')]) };
      const provider = args.has('D')
        ? [effect('exec-unknown', word(args.value('D')), 'ssh-keygen loads a library')]
        : [];
      const path: Value = key[0] ?? inHome(home, '.ssh/id_ed25519');
      const made = args.has('p', 'c')
        ? [draft('write', path)]
        : [draft('create', path), draft('create', [...path, '.pub'])];
      return { files: args.has('D') ? [] : made, effects: provider };
    },
  }),
  define({
    names: ['ssh-add', 'ssh-agent'],
    manual: 'ssh-add(1), ssh-agent(1)',
    summary: 'gives keys to an agent',
    options: 'l, L, d, D, t:, c, k, K, A, q, s:, S:, e:, x, X, T:, E:, v, h:, H:, C, a:, P:, p:, f:, r, 4, 6',
    style: { stopAtOperand: true },
    run: (args, { name }) => {
      if (name === 'ssh-agent') {
        return args.operands.length > 0 && !args.has('k')
          ? { nested: [{ kind: 'argv', via: name, argv: args.operands }] }
          : {};
      }
      const provider = args
        .values('s', 'S')
        .map((value): EffectDraft => effect('exec-unknown', render(value), 'ssh-add loads a library'));
      // Keys go to the agent, nothing is printed.
      return args.has('l', 'L', 'd', 'D', 'T')
        ? {}
        : { files: drafts('list', args.operands), effects: provider, stdout: QUIET };
    },
  }),
  define({
    names: [
      'codesign',
      'csreq',
      'productsign',
      'productbuild',
      'pkgbuild',
      'notarytool',
      'stapler',
      'jarsigner',
      'apksigner',
      'zipalign',
      'keytool',
      'certtool',
      'osslsigncode',
      'signtool',
    ],
    manual: 'codesign(1), keytool(1), jarsigner(1)',
    summary: 'signs programs and archives',
    options:
      's sign:, f force, v verbose, d display, o options:, entitlements:, timestamp?, deep, verify, keystore:, storepass:, keypass:, alias:, ks:, out:, signedjar:, import, list, genkey genkeypair, delete, export exportcert, keyalg:, keysize:, validity:, dname:, file:, importkeystore, srckeystore:, destkeystore:, ext:, root:, identifier:, version:, install-location:, component:, remove-signature, p:, i:',
    style: { singleDashLong: true },
    run: (args, { name }) => {
      const stores = args.values('keystore', 'ks', 'srckeystore', 'destkeystore');
      const looks = args.has('d', 'verify', 'list', 'v') && !args.has('s', 'sign');
      if (name === 'keytool' && args.has('importkeystore'))
        return { files: [...reads(args.values('srckeystore')), ...drafts('write', args.values('destkeystore'))] };
      if (name === 'keytool')
        return { files: args.has('list', 'export') ? drafts('list', stores) : drafts('write', stores) };
      return {
        files: [
          ...drafts('list', stores),
          ...(looks ? drafts('list', args.operands) : drafts('write', args.operands.slice(-1))),
          ...drafts('write', args.values('out', 'signedjar')),
        ],
      };
    },
  }),
  define({
    names: ['minisign', 'signify', 'git-crypt', 'ccrypt', 'mcrypt', 'keybase'],
    manual: 'minisign(1), git-crypt(1), ccrypt(1)',
    summary: 'encrypts and decrypts files',
    options:
      'd decrypt D, e encrypt, i identity:, o output:, r recipient:, R recipients-file:, p passphrase P, a armor, y, s:, m:, x:, S, V, G, vault-password-file:, vault-id:, k:',
    run: (args, { name }) => {
      const verb = word(args.operands[0]);
      const verbs = name === 'git-crypt' || name === 'keybase';
      const paths = verbs ? args.operands.slice(1) : args.operands;
      const decrypts = args.has('d') || /^(view|decrypt|unlock)$/.test(verb);
      const out = args.values('o');
      const opens = [...args.values('i', 's')];
      if (!decrypts)
        return {
          subcommand: verbs ? verb : '',
          files: [...reads(paths), ...drafts('write', out), ...(verbs ? drafts('write', paths) : [])],
        };
      const prints = out.length === 0 && verb !== 'decrypt' && verb !== 'unlock';
      return {
        files: [...reads(paths), ...drafts('list', opens), ...drafts('write', out)],
        effects: prints ? [effect('secret-read', paths.map(render).join(' '), `${name} prints what it decrypts`)] : [],
        stdout: { value: null, taints: prints ? ['secret', 'decoded'] : [] },
      };
    },
  }),
];

function inHome(home: string, below: string): Value {
  return [`${home}/${below}`];
}

function shows(words: readonly Value[], name: string): Outcome {
  const target = words.map(render).join(' ') || name;
  return {
    effects: [effect('secret-read', target, `${name} prints ${target}`)],
    stdout: { value: null, taints: ['secret'] },
  };
}

function gnupg(args: Parsed): Outcome {
  const out = args.values('o');
  const target = args.operands.map(render).join(' ') || 'secret keys';
  const written = drafts(
    'write',
    out.filter((path) => !isStdin(path)),
  );
  const secrets: EffectDraft[] = args.has('export-secret-keys', 'export-secret-subkeys')
    ? [effect('secret-read', target, 'gpg exports secret keys')]
    : [];
  if (secrets.length > 0) return { files: written, effects: secrets, stdout: { value: null, taints: ['secret'] } };
  const server = args.value('keyserver');
  const dests = args.has('recv-keys', 'send-keys', 'search-keys', 'refresh-keys')
    ? [
        {
          address: server ?? (['keys.openpgp.org'] as Value),
          scheme: 'https',
          sends: args.has('send-keys') ? ('text' as const) : ('nothing' as const),
        },
      ]
    : [];
  if (args.has('delete-keys', 'delete-secret-keys', 'delete-secret-and-public-key'))
    return { effects: [effect('account', target, `gpg deletes keys: ${target}`)] };
  if (args.has('gen-key', 'full-generate-key', 'quick-generate-key', 'generate-key', 'edit-key', 'import-ownertrust'))
    return { effects: [effect('account', 'keyring', 'gpg changes the keyring')] };
  const programs = args.has('photo-viewer')
    ? [{ kind: 'script' as const, via: 'gpg', text: args.value('photo-viewer') ?? [] }]
    : [];
  const suffixed = args.has('b') || args.has('e') || args.has('c') || args.has('s') || args.has('clear-sign');
  const made =
    suffixed && out.length === 0
      ? args.operands.map((path) => draft('create', [...path, args.has('armor') ? '.asc' : '.gpg']))
      : [];
  const keeps = args.has(
    'list-keys',
    'list-secret-keys',
    'recv-keys',
    'send-keys',
    'search-keys',
    'refresh-keys',
    'export',
    'card-status',
    'fingerprint',
    'locate-keys',
  );
  const files = [...(keeps ? [] : reads(args.operands)), ...written, ...made];
  return {
    files,
    dests,
    nested: programs,
    ...(args.has('d') && out.length === 0
      ? {
          effects: [effect('secret-read', target, 'gpg shows what was encrypted')],
          stdout: { value: null, taints: ['decoded' as const, 'secret' as const] },
        }
      : args.has('d')
        ? { stdout: { value: null, taints: ['decoded' as const] } }
        : {}),
  };
}
