import type { EffectDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { isStdin } from './drafts.ts';
import { below } from './paths.ts';

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const OVERRIDES = ['compose.override.yaml', 'compose.override.yml', 'docker-compose.override.yml'];
const READ = 50_000;

/**
 * What the files of `docker compose up` give containers of this machine; compose-spec. A file that was in the project
 * before is ordinary work but for a whole machine or home that can be written; of one that this call wrote, fetched or
 * took from elsewhere all counts.
 */
export function composeEffects(
  inv: Invocation,
  named: readonly Value[],
  directory: Value | null,
): readonly EffectDraft[] {
  const usual = [...NAMES, ...OVERRIDES].map((name) => (directory ? below(directory, known(name)) : known(name)));
  return (named.length > 0 ? named : usual).flatMap((path): readonly EffectDraft[] => {
    const piped = isStdin(path);
    const { real, zone } = inv.world.resolve(inv.cwd, path, true);
    const held = piped ? inv.stdin : real === null ? null : inv.world.content(real);
    if (real === null || !held) return [];
    if (held.taints.includes('network'))
      return [
        {
          kind: 'exec-unknown',
          target: 'compose',
          detail: `compose runs what ${render(path)} says, which came from the network just now`,
        },
      ];
    const text = held.value === null ? null : textOf(held.value);
    if (text === null || text.length > READ) return [];
    const own = !piped && zone === 'workspace' && !inv.world.changed(real);
    return given(text, inv.world.home, own).map((what) => ({
      kind: 'container-host',
      target: what,
      detail: `a container with ${what}, says ${render(path)}`,
    }));
  });
}

const SYSTEM = /^\/(?:|etc|proc|sys|dev|boot|root|usr|bin|sbin|lib|var|run|var\/run|var\/lib\/docker|home)\/?$/;
const ENGINE = /(?:docker|podman|containerd|crio)[^/]*\.sock$/;

/** Directories of a home that hold keys and what opens other machines. */
const KEYS = /\/\.(?:ssh|aws|gnupg|kube|docker|azure|config\/gcloud|netrc|npmrc|pypirc|git-credentials)(?:\/|$)/;

/** Host directories, rights and name spaces in the text of a compose file, line by line; flow style and JSON as well. */
function given(text: string, home: string, ordinary: boolean): readonly string[] {
  const found = new Set<string>();
  const mount = (host: string): void => {
    if (host === '/' || host === home) found.add(`mount of ${host}`);
    else if (!ordinary && (SYSTEM.test(host) || ENGINE.test(host) || KEYS.test(host))) found.add(`mount of ${host}`);
  };
  const absolute = (host: string): string => host.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, home);
  let list = '';
  for (const line of text.split('\n')) {
    const code = line.replace(/(?:^|\s)#.*$/, '');
    list = /^\s*["']?(\w+)["']?:\s*$/.exec(code)?.[1] ?? (/^\s*-/.test(code) ? list : '');
    for (const match of code.matchAll(/(?:^\s*-|[[,])\s*["']?([~/$][^\s"',\]:]*):(\/[^\s"',\]:]*)(?::(\w+))?/g)) {
      const host = absolute(match[1] as string);
      if (/^ro/.test(match[3] ?? '') && (ordinary || /^\/(?:etc|usr|proc|sys)/.test(host))) continue;
      mount(host);
    }
    for (const piece of code.split(/[{}[\],]/)) {
      const [, key = '', value = ''] = /^\s*(?:-\s+)?["']?(\w+)["']?\s*:\s*["']?([^"']*)/.exec(piece) ?? [];
      const said = value.trim();
      // `source` of a mount, `device` of a volume that is bound to a directory.
      if ((key === 'source' || key === 'src' || key === 'device') && /^[~/$]/.test(said)) mount(absolute(said));
      if (ordinary) continue;
      if (/^(?:privileged|use_api_socket)$/.test(key) && /^(?:true|yes|on)\b/i.test(said)) found.add(key);
      if (/^(?:pid|ipc|userns_mode|uts|cgroup)$/.test(key) && said === 'host') found.add(`${key}: host`);
    }
    if (ordinary) continue;
    for (const cap of code.matchAll(/\b(?:CAP_)?(SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH)\b/g))
      found.add(`cap_add ${cap[1]}`);
    if (/["']?cap_add["']?:\s*\[[^\]]*\bALL\b/.test(code) || (list === 'cap_add' && /^\s*-\s*["']?ALL\b/.test(code)))
      found.add('cap_add ALL');
    const unconfined = /\b(?:seccomp|apparmor|systempaths)[:=]unconfined\b/.exec(code);
    if (unconfined) found.add(unconfined[0]);
  }
  return [...found];
}
