import type { EffectDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import { render, type Value } from '../model/value.ts';
import { wholeEnvironment } from './coreutils-print.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';

const POWER =
  /^(poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit|soft-reboot|switch-root)$/;
const UNIT_CHANGES =
  /^(start|stop|restart|try-restart|reload|reload-or-restart|force-reload|condrestart|enable|disable|reenable|preset|mask|unmask|link|kill|freeze|thaw|set-property|set-default|isolate|edit|revert|daemon-reload|daemon-reexec|set-environment|unset-environment|import-environment|reset-failed|clean|add-wants|add-requires)$/;

/** Programs that change the machine as a whole: services, accounts, firewall, kernel, names, time. */
export const machine: readonly Program[] = [
  define({
    names: ['systemctl'],
    manual: 'systemctl(1)',
    summary: 'controls services and the power state',
    options:
      't type:, state:, p property:, P, a all, l full, no-pager, user, system, global, H host:, M machine:, q quiet, no-block, now, f force, i, s signal:, kill-whom:, n lines:, o output:, no-legend, root:, runtime, no-wall, r recursive, check-inhibitors:, image:, job-mode:, plain, value, what:, when:, with-dependencies, failed, show-types, no-ask-password, preset-mode:, reverse, after, before, wait, dry-run, drop-in:',
    run: (args) => {
      const verb = word(args.operands[0]);
      const units = args.operands.slice(1).map(render).join(' ');
      if (args.has('dry-run')) return { subcommand: verb };
      if (verb === 'show-environment') return { subcommand: verb, ...wholeEnvironment() };
      if (POWER.test(verb)) return { subcommand: verb, effects: [effect('power', verb, `systemctl ${verb}`)] };
      if (!UNIT_CHANGES.test(verb)) return { subcommand: verb };
      const later = /^(enable|reenable|link|edit|add-wants)$/.test(verb)
        ? [effect('persistence', units, `systemctl ${verb} ${units}`)]
        : [];
      return { subcommand: verb, effects: [effect('service', units, `systemctl ${verb} ${units}`.trim()), ...later] };
    },
  }),
  changer(
    'service',
    words('service invoke-rc.d rc-service initctl sv svc s6-rc supervisorctl launchctl'),
    'service(8), launchctl(1), supervisorctl(1)',
    /^(status|list|print|--status-all|blame|dumpstate|getenv|help|check|avail|tail|version|pid|managername|print-disabled|plist|procinfo|hostinfo|-s|--list)$/,
  ),
  changer(
    'service',
    words('update-rc.d chkconfig rc-update ntsysv insserv systemd-sysext homectl portablectl'),
    'update-rc.d(8), chkconfig(8)',
    /^(show|--list|list|status|inspect)$/,
  ),
  changer(
    'power',
    ['pmset', 'loginctl', 'machinectl'],
    'pmset(1), loginctl(1)',
    /^(-g|list.*|show.*|user-status|session-status|seat-status|status|image-status|)$/,
  ),
  changer(
    'account',
    words(
      'useradd userdel usermod adduser deluser addgroup delgroup groupadd groupdel groupmod groupmems gpasswd chpasswd chgpasswd chfn chsh chage newusers pwck grpck vipw vigr visudo pwconv pwunconv dscl dseditgroup sysadminctl createhomedir pw newuidmap smbpasswd faillock pam-auth-update authconfig authselect realm',
    ),
    'useradd(8), usermod(8), chpasswd(8), dscl(1)',
    /^(-l|--list|-c|--check|-S|--status|\.|list|read|search|discover)$/,
  ),
  define({
    names: ['passwd', 'kpasswd', 'yppasswd'],
    manual: 'passwd(1)',
    summary: 'changes passwords',
    options: 'S status, a all, d delete, e expire, l lock, u unlock, stdin, n:, x:, w:, i:, q, R:, k',
    run: (args, { name }) =>
      args.has('S')
        ? {}
        : { effects: [effect('account', args.operands.map(render).join(' '), `${name} changes a password`)] },
  }),
  define({
    names: [
      'iptables',
      'ip6tables',
      'ebtables',
      'arptables',
      'iptables-legacy',
      'iptables-nft',
      'iptables-restore',
      'ip6tables-restore',
      'iptables-save',
      'ip6tables-save',
      'nft',
      'ufw',
      'firewall-cmd',
      'pfctl',
      'ipset',
      'ipfw',
      'fail2ban-client',
      'socketfilterfw',
    ],
    manual: 'iptables(8), nft(8), ufw(8), firewall-cmd(1), pfctl(8)',
    summary: 'shows and changes packet filters',
    run: (_args, { name, argv }) => {
      const texts = argv.slice(1).map(word);
      const shows =
        name.endsWith('-save') ||
        (/^(ip6?|eb|arp)tables/.test(name) &&
          !name.endsWith('restore') &&
          !texts.some((text) =>
            /^(-[ADIRFZNXPE]|--(append|delete|insert|replace|flush|zero|new-chain|delete-chain|policy|rename-chain))$/.test(
              text,
            ),
          )) ||
        (name === 'nft' && texts.some((text) => text.startsWith('list'))) ||
        (name === 'ufw' && /^(status|show|version|app|--version|)$/.test(texts[0] ?? '')) ||
        (name === 'firewall-cmd' &&
          texts.every((text) => /^--(state|list|get|query|info|permanent|zone)/.test(text))) ||
        (name === 'pfctl' && texts.some((text) => text.startsWith('-s'))) ||
        (name === 'ipset' && /^(list|save|test|-L)$/.test(texts[0] ?? '')) ||
        (name === 'ipfw' && /^(list|show|-a)$/.test(texts[0] ?? '')) ||
        (name === 'fail2ban-client' && /^(status|get|ping|version)$/.test(texts[0] ?? ''));
      return shows ? {} : { effects: [effect('firewall', name, `${name} ${texts.join(' ')}`.slice(0, 120))] };
    },
  }),
  define({
    names: ['sysctl'],
    manual: 'sysctl(8)',
    summary: 'shows and sets kernel parameters',
    options: 'w write, p load?, a all, A, n values, e ignore, q quiet, N names, b binary, r pattern:, system, f:, h, i',
    run: (args) => {
      const set = args.operands.filter((value) => render(value).includes('='));
      if (!args.has('w', 'p', 'system', 'f') && set.length === 0) return {};
      const target = args.operands.map(render).join(' ');
      return {
        files: reads(args.values('f', 'p').filter((path) => path.length > 0)),
        effects: [effect('kernel', target, `sets ${target || 'kernel parameters'}`)],
      };
    },
  }),
  changer(
    'kernel',
    words(
      'modprobe insmod rmmod depmod kmod dkms kldload kldunload kextload kextunload kmutil bpftool bpftrace setenforce setsebool semanage semodule restorecon aa-disable aa-enforce aa-complain apparmor_parser auditctl nvram csrutil spctl systemsetup grub-install update-grub grub-mkconfig update-initramfs mkinitcpio dracut efibootmgr bootctl update-secureboot-policy mokutil tuned-adm cpupower x86_energy_perf_policy ethtool',
    ),
    'modprobe(8), insmod(8), setenforce(8), csrutil(8), efibootmgr(8)',
    /^(-n|--dry-run|--show.*|-c|--showconfig|list|status|show|prog|map|-l|-s|info|-v|verify|frequency-info|active|boolean|--sb-state|--list-enrolled|-D|--status|-p)$/,
  ),
  changer(
    'service',
    words(
      'hostnamectl timedatectl localectl scutil networksetup update-alternatives alternatives ldconfig dpkg-reconfigure dpkg-divert debconf-set-selections update-ca-certificates update-ca-trust trust certmgr update-mime-database update-desktop-database gsettings dconf xdg-mime xdg-settings defaults plutil nmcli nmtui ifconfig ifup ifdown ip route brctl tc iw iwconfig rfkill wpa_cli dhclient dhcpcd netplan networkctl tailscale wg wg-quick openvpn hwclock ntpdate ntpd chronyc tzselect cupsctl lpadmin bluetoothctl xset xinput setxkbmap loadkeys locale-gen alsactl amixer pactl',
    ),
    'hostnamectl(1), update-alternatives(1), ip(8), nmcli(1), defaults(1)',
    /^(status|show.*|list.*|read|read-type|domains|find|get|query|help|version|a|addr|address|link|r|route|neigh|n|ls|-br|-br?|-c|-j|-o|-s|-d|-4|-6|-a|-p|--dns|--proxy|--get.*|-get.*|--display|--list|--query|-lint|-n|-v|--version|-V|device|dev|general|g|connection|con|c|d|info|ip|ping|netcheck|tracking|sources|dump|check|--json|default|monitor|writable|describe|-r|--help|-h|-q|-m|lo|eth\d|en\w*|wl\w*|docker\d|br.*|)$/,
  ),
  define({
    names: ['journalctl'],
    manual: 'journalctl(1)',
    summary: 'shows the journal; --vacuum-* deletes old entries',
    options:
      'u unit:, n lines?, S since:, U until:, p priority:, o output:, b boot?, f follow, r reverse, k dmesg, g grep:, no-pager, e, x, q, t identifier:, D directory:, file:, vacuum-size:, vacuum-time:, vacuum-files:, rotate, flush, sync, disk-usage, user, system, user-unit:, m, M:, a, l, F field:, N, header, verify, c cursor:, output-fields:, list-boots, utc, no-hostname, T:, case-sensitive?, root:, setup-keys, update-catalog, list-catalog',
    run: (args) =>
      args.has('vacuum-size', 'vacuum-time', 'vacuum-files', 'rotate')
        ? { effects: [effect('service', 'journal', 'deletes entries of the system journal')] }
        : { files: reads(args.values('file')) },
  }),
  define({
    names: [
      'logger',
      'wall',
      'write',
      'mesg',
      'notify-send',
      'say',
      'espeak',
      'terminal-notifier',
      'zenity',
      'kdialog',
      'whiptail',
      'xmessage',
      'afplay',
      'aplay',
      'paplay',
      'play',
      'beep',
      'growlnotify',
    ],
    manual: 'logger(1), wall(1), notify-send(1)',
    summary: 'tells people something',
    options: 'f file:, t tag:, p priority:, o:, v:, r:',
    run: (args, { name }) => ({
      files: [
        ...reads(name === 'logger' ? args.values('f') : []),
        ...(name === 'say' ? drafts('write', args.values('o')) : []),
      ],
    }),
  }),
  define({
    names: [
      'pbcopy',
      'pbpaste',
      'xclip',
      'xsel',
      'wl-copy',
      'wl-paste',
      'clip',
      'termux-clipboard-get',
      'termux-clipboard-set',
    ],
    manual: 'pbcopy(1), xclip(1), xsel(1), wl-copy(1)',
    summary: 'reads and writes the clipboard',
    options:
      'i in, o out, selection:, b, p, s, t target:, f filter, d display:, l loops:, n, c clear, r, silent, quiet, rmlastnl, noutf8',
    style: { singleDashLong: true },
    run: (args, { name }) => {
      const prints = /paste$|get$/.test(name) || args.has('o');
      const effects = [effect('clipboard', name, prints ? 'prints the clipboard' : 'fills the clipboard')];
      return { files: name === 'xclip' ? reads(args.operands) : [], effects };
    },
  }),
];

/** A program whose words change the machine unless the first of them only shows something. */
function changer(kind: EffectKind, names: readonly string[], manual: string, shows: RegExp): Program {
  return define({
    names,
    manual,
    summary: 'changes the machine',
    run: (args, { name, argv }) => {
      const texts = argv.slice(1).map((value) => render(value));
      const verb = args.operands.map(word)[0] ?? '';
      const subcommand = { subcommand: verb };
      if (texts.some((text) => /^(--help|--version)$/.test(text))) return subcommand;
      if (texts.length === 0 && !CHANGES_ALONE.has(name)) return subcommand;
      const started = name === 'ip' ? startedByIp(argv) : [];
      if (started.length > 0) return { ...subcommand, nested: [{ kind: 'argv', via: 'ip', argv: started }] };
      if (name === 'ip' || name === 'service' || name === 'nmcli') return ofPair(kind, name, args, subcommand);
      if (texts.length > 0 && shows.test(texts[0] as string) && !changesAnyway(args.operands)) return subcommand;
      const target = texts.join(' ').slice(0, 120);
      return { ...subcommand, effects: [effect(kind, target, `${name} ${target}`.trim())] };
    },
  });
}

/** `ip netns exec NAME PROGRAM`, `ip vrf exec NAME PROGRAM`: ip-netns(8), ip-vrf(8). */
function startedByIp(argv: readonly Value[]): readonly Value[] {
  const at = argv.findIndex((value) => /^(netns?|vrf)$/.test(word(value)));
  return at > 0 && /^ex(ec?)?$/.test(word(argv[at + 1])) ? argv.slice(at + 3) : [];
}

const CHANGES_ALONE = new Set([
  'ldconfig',
  'update-grub',
  'update-initramfs',
  'update-ca-certificates',
  'chpasswd',
  'chgpasswd',
  'visudo',
  'vipw',
  'vigr',
  'chsh',
  'chfn',
  'locale-gen',
  'depmod',
  'dracut',
  'pwconv',
]);

/** A verb of change behind a word that by itself only shows: `ip link set`, `nmcli device disconnect`. */
const VERBS =
  /^(add|del|delete|set|up|down|flush|replace|change|append|disconnect|connect|modify|remove|import|reload|write|enable|disable|install|start|stop|restart|edit|--set.*|--remove.*|--add.*)$/;

function changesAnyway(operands: readonly Value[]): boolean {
  return operands.slice(1).some((value) => VERBS.test(word(value)));
}

/** Programs whose second word says whether something changes. */
function ofPair(
  kind: EffectKind,
  name: string,
  args: Parsed,
  subcommand: { subcommand: string },
): { subcommand: string; effects?: readonly EffectDraft[] } {
  const texts = args.operands.map(render);
  const changes =
    name === 'service'
      ? texts.length > 1 && !/^(status)$/.test(texts[1] as string)
      : texts.slice(1).some((text) => VERBS.test(text));
  if (!changes) return subcommand;
  const target = texts.join(' ').slice(0, 120);
  return { ...subcommand, effects: [effect(kind, target, `${name} ${target}`)] };
}
