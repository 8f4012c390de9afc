import type { EffectDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
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
    const { real, zone } = inv.world.resolve(inv.cwd, path, true);
    const held = real === null ? null : inv.world.content(real);
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
    const own = zone === 'workspace' && !inv.world.changed(real);
    return given(text, inv.world.home, own).map((what) => ({
      kind: 'container-host',
      target: what,
      detail: `a container with ${what}, says ${render(path)}`,
    }));
  });
}

const SYSTEM = /^\/(?:|etc|proc|sys|dev|boot|root|usr|bin|sbin|lib|var|run|var\/run|var\/lib\/docker|home)\/?$/;
const ENGINE = /(?:docker|podman|containerd|crio)[^/]*\.sock$/;

/** Host directories, rights and name spaces in the text of a compose file, line by line. */
function given(text: string, home: string, ordinary: boolean): readonly string[] {
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    const code = line.replace(/(?:^|\s)#.*$/, '');
    for (const match of code.matchAll(/(?:^\s*-|[[,])\s*["']?([~/$][^\s"',\]:]*):(\/[^\s"',\]:]*)(?::(\w+))?/g)) {
      const host = (match[1] as string).replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, home);
      const readOnly = /^ro/.test(match[3] ?? '');
      if (readOnly && (ordinary || /^\/(?:etc|usr|proc|sys)/.test(host))) continue;
      if (host === '/' || host === home) found.add(`mount of ${host}`);
      else if (!ordinary && (SYSTEM.test(host) || ENGINE.test(host))) found.add(`mount of ${host}`);
    }
    const source = /^\s*-?\s*source:\s*["']?([~/][^\s"']*)/.exec(code);
    if (source && (source[1] === '/' || source[1] === home)) found.add(`mount of ${source[1]}`);
    if (ordinary) continue;
    if (/^\s*privileged:\s*["']?(?:true|yes|on)\b/i.test(code)) found.add('privileged');
    const space = /^\s*(pid|ipc|userns_mode|uts|cgroup):\s*["']?host\b/.exec(code);
    if (space) found.add(`${space[1]}: host`);
    for (const cap of code.matchAll(
      /\b(?:CAP_)?(SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH)\b|cap_add:\s*\[\s*["']?ALL/g,
    ))
      found.add(`cap_add ${cap[1] ?? 'ALL'}`);
  }
  return [...found];
}
