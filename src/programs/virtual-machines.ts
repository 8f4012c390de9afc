import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { QUIET } from './streams.ts';
import { atDashes, say, starts } from './words.ts';

/** A tool that keeps machines or clusters: how it runs commands inside, and what takes them away. */
interface Keeper {
  readonly names: readonly string[];
  readonly destroys: RegExp;
  readonly applies?: RegExp;
  /** Subcommands that run a command inside: what stands before the command, and whether it shares the host's files. */
  readonly runs?: RegExp;
  /** Operands between the subcommand and the command. */
  readonly skip?: number;
  readonly shared?: boolean;
  readonly options?: string;
}

const KEEPERS: readonly Keeper[] = [
  { names: ['kind', 'k3d', 'k0s', 'microk8s'], destroys: /^(delete|reset|uninstall)/ },
  { names: ['minikube'], destroys: /^delete/, runs: /^ssh$/ },
  { names: ['colima'], destroys: /^(delete|prune)/, runs: /^ssh$/ },
  { names: ['limactl'], destroys: /^(delete|rm|factory-reset|prune)/, runs: /^shell$/, skip: 1, shared: true },
  { names: ['lima'], destroys: /^$/, runs: /^/, skip: -1, shared: true },
  {
    names: ['lxc', 'incus'],
    destroys: /^(delete|rm|((storage|network|image|profile|project|cluster)( volume)? (delete|rm)))/,
    runs: /^exec$/,
    skip: 1,
  },
  { names: ['multipass'], destroys: /^(delete|purge)/, runs: /^exec$/, skip: 1 },
  {
    names: ['vagrant'],
    destroys: /^(destroy|box (remove|prune)|snapshot delete)/,
    runs: /^ssh$/,
    options: 'c command:',
  },
  { names: ['devcontainer'], destroys: /^$/, runs: /^exec$/ },
  {
    names: ['distrobox', 'toolbox', 'distrobox-enter'],
    destroys: /^(rm|rmi)/,
    runs: /^(enter|run)$/,
    skip: 1,
    shared: true,
  },
  {
    names: ['orb', 'orbctl', 'tart', 'virsh', 'VBoxManage', 'vboxmanage', 'prlctl', 'qm', 'pct', 'utmctl'],
    destroys: /^(delete|rm|destroy|undefine|unregistervm|reset|purge|vol-delete|pool-delete|snapshot-delete)/,
  },
  {
    names: ['wsl', 'wsl.exe'],
    destroys: /^(--unregister)/,
    runs: /^/,
    skip: -1,
    shared: true,
    options: 'd distribution:, u user:, cd:, e exec',
  },
];

/** Virtual machines, local clusters and their shells. */
export const virtualMachines: readonly Program[] = KEEPERS.map((keeper) =>
  define({
    names: keeper.names,
    manual: `${keeper.names[0]} documentation`,
    summary: 'machines on this machine',
    options: `${keeper.options ?? ''}, n name node:, p profile:, workspace-folder:, container-id:, config:, workdir:, f force, y yes, a all, context:, unregister:, image i:, container:, shell:`,
    style: { stopAtOperand: keeper.skip === -1, abbreviations: false },
    run: (args, inv) => {
      const path = args.operands
        .map((o) => textOf(o) ?? '')
        .slice(0, 3)
        .join(' ');
      const verb = word(args.operands[0]);
      const effects: EffectDraft[] = [];
      if (keeper.destroys.test(path) && path !== '')
        effects.push({
          kind: 'infra-destroy',
          target: say(...args.operands.slice(1)) || say(args.value('name')),
          detail: `${inv.name} ${path}`,
        });
      if (args.has('unregister'))
        effects.push({ kind: 'infra-destroy', target: say(args.value('unregister')), detail: 'wsl --unregister' });
      const inside = {
        ...(keeper.shared ? {} : { elsewhere: 'container' as const }),
        ...(inv.name === 'vagrant' ? { mounts: [{ host: inv.cwd, inside: '/vagrant' }] } : {}),
        ...(inv.stdinIsOpen ? {} : { stdin: inv.stdin }),
      };
      const nested: Nested[] = args
        .values('command', 'c')
        .map((text) => ({ kind: 'script', via: inv.name, text, ...inside }));
      if (keeper.runs?.test(verb) && verb !== '') {
        const { after } = atDashes(inv.argv.slice(1));
        const first = args.operands[(keeper.skip ?? 0) + 1];
        const argv: readonly Value[] = after ?? (first ? inv.argv.slice(inv.argv.indexOf(first)) : []);
        if (argv.length > 0) nested.push({ kind: 'argv', via: inv.name, argv, ...inside });
      }
      return { subcommand: verb, effects, nested, stdout: QUIET };
    },
  }),
);

/** Builders and copiers of images without an engine. */
export const imageTools: readonly Program[] = [
  define({
    names: ['buildah', 'skopeo', 'crane', 'oras', 'regctl', 'ko', 'kaniko', 'executor', 'img', 'nixpacks', 'pack'],
    manual: 'buildah(1), skopeo(1), crane',
    summary: 'images without an engine',
    options:
      't tag:, f file:, authfile:, creds:, src-creds:, dest-creds:, v volume:, o output:, destination:, a all, publish, user:, workingdir:, isolation:, n name:, format:',
    run: (args, inv) => {
      const [first, ...rest] = args.operands;
      const verb = word(first);
      const target = say(rest[rest.length - 1]);
      const effects: EffectDraft[] = [];
      const files: FileDraft[] = [];
      const nested: Nested[] = [];
      const last = rest[rest.length - 1];
      if (
        /^(push|append|mutate|tag|attach|artifact)$/.test(verb) ||
        (inv.name === 'ko' && /^(build|publish|apply|resolve)$/.test(verb)) ||
        args.has('publish')
      ) {
        effects.push({ kind: 'publish', target, detail: `${inv.name} ${verb}` });
      } else if (/^(copy|cp|sync)$/.test(verb) && last) {
        if (/^(dir|oci|docker-archive|oci-archive):/.test(word(last)))
          files.push({ op: 'write', path: [word(last).replace(/^[a-z-]+:/, '')], recursive: true });
        else if (inv.name !== 'buildah' && !/^(docker-daemon|containers-storage):/.test(word(last)))
          effects.push({ kind: 'publish', target, detail: `${inv.name} ${verb}` });
      } else if (/^(delete|rm-tag)$/.test(verb))
        effects.push({ kind: 'unpublish', target, detail: `${inv.name} ${verb}` });
      else if (verb === 'export' || verb === 'pull' || verb === 'blob') {
        if (inv.name === 'crane' && last && !starts(last, '-') && rest.length > 1)
          files.push({ op: 'write', path: last });
      }
      if (args.has('destination'))
        effects.push({ kind: 'publish', target: say(args.value('destination')), detail: inv.name });
      if (inv.name === 'buildah' && (verb === 'run' || verb === 'unshare')) {
        const { after } = atDashes(inv.argv);
        const argv = after ?? rest.slice(verb === 'run' ? 1 : 0);
        if (argv.length > 0)
          nested.push({
            kind: 'argv',
            via: 'buildah',
            argv,
            ...(verb === 'run' ? { elsewhere: 'container' as const } : {}),
          });
      }
      return { subcommand: verb, effects, files, nested, stdout: QUIET };
    },
  }),
];
