import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { draft, reads, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { contentOf } from './streams.ts';
import { merge } from './subcommands.ts';
import { cut, drop, say } from './words.ts';

/** What `-o`, `-F` and the forwarding options of the ssh family make happen on this machine; ssh_config(5). */
export function sshOptions(args: Parsed, inv: Invocation): Outcome {
  const settings = new Map<string, Value>();
  for (const option of args.values('o')) {
    const parts = cut(option, '=') ?? cut(option, ' ');
    if (parts) settings.set(word(parts[0]).trim().toLowerCase(), parts[1]);
  }
  const config = args.value('F');
  const files: FileDraft[] = config && word(config) !== 'none' ? [...reads([config])] : [];
  if (config) for (const [key, value] of fileSettings(config, inv)) if (!settings.has(key)) settings.set(key, value);
  const effects: EffectDraft[] = [];
  const forwards = [
    ...['L', 'D', 'R'].flatMap((option) => args.values(option).map((value) => [option, value] as const)),
    ...Object.entries(FORWARDS).flatMap(([key, option]) => {
      const value = settings.get(key);
      return value ? [[option, value] as const] : [];
    }),
  ];
  for (const [option, forward] of forwards) effects.push(forwarding(option, say(forward), args.has('g')));
  // `-L` with a path in front makes a socket there.
  for (const [option, forward] of forwards) {
    const local = option === 'L' ? cut(forward, ':')?.[0] : undefined;
    if (local && render(local).includes('/')) files.push(draft('create', local));
  }
  const library = [args.value('I'), settings.get('pkcs11provider'), settings.get('securitykeyprovider')];
  const loaded = library.filter((path) => path && /\//.test(render(path)) && !/^\/usr\//.test(render(path))) as Value[];
  effects.push(
    ...strangeCode(inv, loaded),
    ...(config && word(config) !== '/dev/null' ? strangeCode(inv, [config]) : []),
  );
  const nested = commands(settings);
  for (const run of nested) {
    if (run.kind === 'script' && !USUAL.test(render(run.text))) {
      effects.push({ kind: 'exec-unknown', target: run.via, detail: `ssh runs ${render(run.text).slice(0, 80)} here` });
    }
  }
  return merge({ files, effects, nested });
}

const FORWARDS = { localforward: 'L', dynamicforward: 'D', remoteforward: 'R' };

/** -L is a port of one's own; -R lets others in, -D lets all traffic out past what watches it, -g opens both to all. */
function forwarding(option: string, what: string, open: boolean): EffectDraft {
  if (option === 'R')
    return { kind: 'share-publicly', target: what, detail: 'a port of another machine that leads to this one' };
  if (option === 'D') return { kind: 'share-publicly', target: what, detail: 'a way out through another machine' };
  const everybody = open || /^(\*|0\.0\.0\.0|\[?::\]?):/.test(what);
  return everybody
    ? { kind: 'share-publicly', target: what, detail: 'a forwarded port that is open to all' }
    : { kind: 'listen', target: what, detail: 'forwards a port' };
}

/** Programs that carry an ssh connection. */
const USUAL =
  /^(exec )?(\S*\/)?(ssh|nc|ncat|netcat|connect|connect-proxy|corkscrew|cloudflared|aws|gcloud|tsh|tailscale|step|websocat|session-manager-plugin|az|wstunnel|proxytunnel)( |$)(?!.*[;&|`$]\()/;

const RUNS = ['proxycommand', 'localcommand', 'knownhostscommand', 'match exec'];

/** Commands that settings run here. LocalCommand only runs when PermitLocalCommand says so. */
function commands(settings: ReadonlyMap<string, Value>): readonly Nested[] {
  const permitted = /^(yes|true)$/i.test(word(settings.get('permitlocalcommand')));
  return RUNS.flatMap((key): Nested[] => {
    const text = settings.get(key);
    if (!text || word(text).toLowerCase() === 'none' || (key === 'localcommand' && !permitted)) return [];
    return [{ kind: 'script', via: `ssh ${key}`, text: withoutTokens(unquoted(text)) }];
  });
}

/** Command text for the other end that a setting brings in. */
export function remoteCommand(args: Parsed): Value | null {
  for (const option of args.values('o')) {
    const parts = cut(option, '=') ?? cut(option, ' ');
    if (parts && word(parts[0]).trim().toLowerCase() === 'remotecommand') return parts[1];
  }
  return null;
}

function fileSettings(path: Value, inv: Invocation): readonly (readonly [string, Value])[] {
  const content = contentOf(inv, path).value;
  const text = content && textOf(content);
  if (!text) return [];
  return text.split('\n').flatMap((line): (readonly [string, Value])[] => {
    const exec = /^\s*match\b.*\bexec\s+(?:"([^"]*)"|(\S+))/i.exec(line);
    if (exec) return [['match exec', known(exec[1] ?? (exec[2] as string))]];
    const entry = /^\s*(\w+)[\s=]+(.+?)\s*$/.exec(line);
    return entry ? [[(entry[1] as string).toLowerCase(), known(entry[2] as string)]] : [];
  });
}

/** `%h`, `%p` and the like as the unknown words they become. */
function withoutTokens(text: Value): Value {
  return text.flatMap((part): Value => {
    if (typeof part !== 'string') return [part];
    return part
      .split(/(%[A-Za-z])/)
      .map((piece) => (/^%[A-Za-z]$/.test(piece) ? { hole: `${piece} of ssh`, like: 'name' } : piece));
  });
}

function unquoted(text: Value): Value {
  const whole = textOf(text);
  return whole !== null && /^"[^"]*"$/.test(whole) ? drop([whole.slice(0, -1)], 1) : text;
}
