import type { EffectDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, reads, word } from './drafts.ts';

interface Row {
  readonly names: readonly string[];
  readonly manual: string;
  readonly kind: EffectKind;
  /** First operands that install, remove or upgrade. */
  readonly verbs: RegExp;
  /** Options with which nothing changes. */
  readonly dry?: readonly string[];
  readonly options?: string;
}

const DRY = ['dry-run', 'simulate', 's', 'just-print', 'no-act', 'download-only', 'print-uris', 'help', 'version'];

const ROWS: readonly Row[] = [
  {
    names: words('apt apt-get aptitude nala apt-fast'),
    manual: 'apt(8), apt-get(8)',
    kind: 'install-system',
    verbs:
      /^(install|reinstall|remove|purge|autoremove|autopurge|upgrade|full-upgrade|dist-upgrade|dselect-upgrade|build-dep|update|clean|autoclean|edit-sources|safe-upgrade)$/,
    options:
      'y yes assume-yes, q quiet, s simulate dry-run just-print, d download-only, t target-release:, o option:, c config-file:, no-install-recommends, f fix-broken, m, u, V, purge, allow-downgrades, reinstall',
  },
  {
    names: words('yum dnf dnf5 microdnf tdnf rpm-ostree'),
    manual: 'dnf(8)',
    kind: 'install-system',
    verbs:
      /^(install|reinstall|remove|erase|autoremove|update|upgrade|downgrade|distro-sync|group|groupinstall|groupremove|localinstall|swap|module|config-manager|rollback|rebase|override|builddep|clean|makecache|copr|history|mark|offline-upgrade|system-upgrade)$/,
  },
  {
    names: words(
      'zypper opkg swupd eopkg slackpkg urpmi urpme tlmgr xbps-install xbps-remove emerge port pkg pkg_add pkg_delete pkgin pkgutil installer cards sbopkg guix softwareupdate equo',
    ),
    manual: 'zypper(8), port(1), pkg(8), installer(8), softwareupdate(8)',
    kind: 'install-system',
    verbs:
      /^(install|in|remove|rm|update|up|upgrade|dup|dist-upgrade|patch|addrepo|ar|add|delete|uninstall|autoremove|upgrade-packages|selfupdate|bundle-add|bundle-remove|reinstall|clean|--install|-i|-pkg|pull|package|system|--forget|[\w/.+-]+)$/,
  },
  {
    names: ['apk'],
    manual: 'apk(8)',
    kind: 'install-system',
    verbs: /^(add|del|fix|upgrade|update|cache)$/,
    dry: ['s', 'simulate', 'help'],
  },
  {
    names: ['snap', 'flatpak', 'mas', 'appimage'],
    manual: 'snap(8), flatpak(1)',
    kind: 'install-system',
    verbs:
      /^(install|remove|refresh|revert|enable|disable|connect|disconnect|set|unset|alias|start|stop|restart|uninstall|update|upgrade|override|remote-add|remote-delete|repair|mask|purchase|lucky|reset)$/,
  },
  {
    names: ['brew', 'linuxbrew'],
    manual: 'brew(1)',
    kind: 'install-global',
    verbs:
      /^(install|reinstall|uninstall|remove|rm|upgrade|update|tap|untap|link|unlink|cleanup|autoremove|pin|unpin|bundle|postinstall|switch|services|migrate|edit|developer|analytics)$/,
    dry: ['n', 'dry-run', 'help'],
  },
  {
    names: words('winget choco chocolatey scoop cinst cuninst'),
    manual: 'winget, choco, scoop',
    kind: 'install-system',
    verbs:
      /^(install|add|uninstall|remove|rm|upgrade|update|import|source|configure|pin|reset|bucket|cleanup|[\w.-]+\.[\w.-]+)$/,
  },
  {
    names: words('nix-env nix-channel nix-collect-garbage home-manager darwin-rebuild nixos-rebuild nix-store'),
    manual: 'nix-env(1)',
    kind: 'install-global',
    verbs: /^(switch|boot|test|build|rollback|upgrade|expire-generations|remove-generations|[\w./#-]+)$/,
    dry: ['q', 'query', 'dry-run', 'list', 'qa', 'l'],
  },
  {
    names: words('add-apt-repository apt-add-repository apt-key apt-mark apt-cdrom'),
    manual: 'add-apt-repository(1), apt-key(8), apt-mark(8)',
    kind: 'install-system',
    verbs: /^(?!(list|showhold|showauto|showmanual|finger|fingerprint|export|exportall|help|--help)$)./,
  },
];

/** Package managers of the operating system and of the user account. */
export const packages: readonly Program[] = [
  ...ROWS.map((row) =>
    define({
      names: row.names,
      manual: row.manual,
      summary: 'installs and removes programs',
      options:
        row.options ??
        'y yes assumeyes, q quiet, n dry-run, v verbose, f force, c config:, t target:, r repo:, repo:, enablerepo:, disablerepo:, root:, installroot:, setopt:, s simulate, cask, formula, help, version',
      run: (args, { name }) => {
        const [first, ...rest] = args.operands;
        const verb = word(first);
        const subcommand = verb;
        if (verb === '' || !row.verbs.test(verb) || args.has(...(row.dry ?? DRY))) return { subcommand };
        if (name === 'brew' && verb === 'services') return service(rest, subcommand);
        const target = rest.map(render).join(' ');
        const local = rest.filter((value) => /\.(deb|rpm|apk|pkg|snap|flatpak)$/.test(word(value)));
        const addresses = rest.filter((value) => /^https?:\/\//.test(knownPrefix(value)));
        const effects: EffectDraft[] = [effect(row.kind, target || verb, `${name} ${verb} ${target}`.trim())];
        for (const address of addresses)
          effects.push(effect('install-remote', render(address), `${name} installs from ${render(address)}`));
        return { subcommand, files: reads(local), effects };
      },
    }),
  ),
  define({
    names: ['pacman', 'yay', 'paru', 'pamac', 'trizen'],
    manual: 'pacman(8): -S, -R, -U and -D change the system',
    summary: 'installs and removes programs',
    options:
      'S sync, R remove, U upgrade, D database, Q query, T deptest, F files, V version, h help, s search, i info, l list, y refresh, u sysupgrade, c clean, p print, q quiet, w downloadonly, noconfirm, needed, n nosave, r root:, b dbpath:, g groups, o owns, k check, d nodeps, a, e, m, t',
    run: (args, { name }) => {
      const looks = args.has('Q', 'T', 'F', 'V', 'h', 'p') || (args.has('S') && args.has('s', 'i', 'l', 'g'));
      if (looks || !args.has('S', 'R', 'U', 'D')) return {};
      const target = args.operands.map(render).join(' ');
      return { effects: [effect('install-system', target, `${name} ${target}`)] };
    },
  }),
  define({
    names: ['dpkg', 'rpm', 'dpkg-deb'],
    manual: 'dpkg(1), rpm(8)',
    summary: 'installs and shows packages',
    options:
      'i install, r remove, P purge, l list, L listfiles, S search, s status, p print-avail, c contents, I info, x extract, X vextract, e, b build, q query, a all, U upgrade, F freshen, V verify, K, configure, unpack, reconfigure, audit, get-selections, set-selections, print-architecture, add-architecture:, force-all, nodeps, h hash, v, f, import, eval:, E:, root:, D:, R recursive, W show',
    run: (args, { name }) => {
      const rpm = name === 'rpm';
      const macros = rpm ? args.values('E', 'eval').flatMap((text) => [...render(text).matchAll(/%\((.*?)\)/g)]) : [];
      if (macros.length > 0)
        return {
          nested: macros.map(
            ([, text]): Nested => ({ kind: 'script', via: 'rpm --eval', text: known(text as string) }),
          ),
        };
      if (rpm && args.has('q', 'V', 'K', 'E') && !args.has('i', 'U')) return {};
      const changes = rpm
        ? args.has('i', 'U', 'F', 'e', 'import')
        : args.has('i', 'r', 'P', 'configure', 'unpack', 'set-selections', 'add-architecture');
      const target = args.operands.map(render).join(' ');
      if (name === 'dpkg-deb' || !changes) {
        const [archive, directory] = args.operands;
        const into =
          args.has('x', 'X') && directory ? drafts('write', [directory], { recursive: true, partial: true }) : [];
        return { files: [...reads(archive && args.has('x', 'X', 'c', 'I', 'e') ? [archive] : []), ...into] };
      }
      const remote = args.operands.filter((value) => /^https?:/.test(knownPrefix(value)));
      const local = args.operands.filter((value) => /\.(deb|rpm)$/.test(word(value)) && !remote.includes(value));
      const fetched = remote.map((value) =>
        effect('install-remote', render(value), `${name} installs from ${render(value)}`),
      );
      return { files: reads(local), effects: [effect('install-system', target, `${name} ${target}`), ...fetched] };
    },
  }),
  define({
    names: words(
      'apt-cache apt-file dpkg-query apt-config dpkg-parsechangelog dpkg-architecture rpmquery repoquery equery qlist debsums apt-show-versions xcode-select xcrun pkginfo',
    ),
    manual: 'apt-cache(8), dpkg-query(1), pkg-config(1)',
    summary: 'shows packages',
    options: 'install, switch s:, reset r, print-path p, f, sdk:, show-sdk-path, find:',
    style: { stopAtOperand: true },
    run: (args, { name }): Outcome => {
      if (name === 'xcode-select' && args.has('install', 'switch', 'reset'))
        return { effects: [effect('install-system', 'developer tools', 'xcode-select changes the developer tools')] };
      if (name === 'xcrun' && args.operands.length > 0)
        return { nested: [{ kind: 'argv', via: 'xcrun', argv: args.operands }] };
      return {};
    },
  }),
];

function service(words: readonly Value[], subcommand: string): Outcome {
  const verb = word(words[0]);
  if (!/^(start|stop|restart|run|kill|cleanup)$/.test(verb)) return { subcommand };
  const target = words.slice(1).map(render).join(' ');
  return { subcommand, effects: [effect('service', target, `brew services ${verb} ${target}`)] };
}
