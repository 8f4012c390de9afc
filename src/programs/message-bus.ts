import type { EffectDraft } from '../model/effect.ts';
import { render, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { effect, word } from './drafts.ts';
import { say } from './words.ts';

/** What a method of a service on the message bus does, by its full name; others are the ordinary work of desktops. */
const METHODS: readonly (readonly [RegExp, EffectDraft['kind']])[] = [
  [/\bsystemd1\b.*\b(?:StartTransientUnit|StartAuxiliary\w*)\b/, 'exec-unknown'],
  [
    /\bsystemd1\b.*\b(?:(?:Start|Stop|Restart|TryRestart|ReloadOrRestart|Kill|Mask|Unmask|Enable|Disable|Link|Preset)Unit(?:Files)?|Reload|Reexecute|SetEnvironment)\b/,
    'service',
  ],
  [
    /\b(?:login1|systemd1|ConsoleKit\w*)\b.*\b(?:PowerOff|Reboot|Halt|Suspend|Hibernate|KExec|HybridSleep)\w*\b/,
    'power',
  ],
  [/\bAccounts\b.*\b(?:CreateUser|DeleteUser|SetPassword|SetAccountType)\b/, 'account'],
  [/\bPackageKit\b.*\b(?:InstallPackages|InstallFiles|RemovePackages|UpdatePackages)\b/, 'install-system'],
  [/\bPolicyKit1\b.*\b(?:CheckAuthorization|RegisterAuthenticationAgent)\b/, 'privilege'],
  [/\bUDisks2\b.*\b(?:Format|Unmount|Mount|Delete\w*)\b/, 'disk'],
  [/\bFirewallD1\b.*\b(?:add|remove|set|change|reload)\w*\b/i, 'firewall'],
  [/\b(?:Secret\.Service|secrets)\b.*\b(?:GetSecrets?|OpenSession)\b/, 'secret-read'],
];

/** Programs that send a message to a service: what the service does is done as it, and not by this program. */
export const messageBus: readonly Program[] = [
  define({
    names: ['busctl'],
    manual: 'busctl(1): call SERVICE OBJECT INTERFACE METHOD; set-property',
    summary: 'talks to services on the message bus',
    options:
      'user, system, H host:, M machine:, json:, j, timeout:, no-pager, quiet, list, address:, allow-interactive-authorization?',
    run: (args) => {
      const [verb, ...rest] = args.operands;
      return { subcommand: word(verb), effects: /^(?:call|set-property|emit)$/.test(word(verb)) ? called(rest) : [] };
    },
  }),
  define({
    names: ['gdbus', 'dbus-send', 'qdbus', 'qdbus6', 'dbus-call'],
    manual: 'gdbus(1): call --dest --object-path --method; dbus-send(1)',
    summary: 'talks to services on the message bus',
    options:
      'session, system, e, y, d dest:, o object-path:, m method:, t timeout:, print-reply?, type:, reply-timeout:, bus:, literal, xml, recurse',
    run: (args) => {
      const [verb, ...rest] = args.operands;
      return {
        subcommand: word(verb),
        effects: /^(?:introspect|monitor|wait)$/.test(word(verb))
          ? []
          : called([...args.values('dest'), ...args.values('method'), ...(verb ? [verb] : []), ...rest]),
      };
    },
  }),
];

function called(words: readonly Value[]): readonly EffectDraft[] {
  const text = words.map(render).join(' ');
  const hit = METHODS.find(([method]) => method.test(text));
  return hit ? [effect(hit[1], say(...words.slice(0, 4)), 'a service on the message bus is told to')] : [];
}
