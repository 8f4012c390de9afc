import type { Invocation, Outcome } from '../model/program.ts';
import { known, knownPrefix, type Value } from '../model/value.ts';
import { draft, drafts, word } from './drafts.ts';
import { installs } from './installs.ts';
import { ownCode } from './interpreter.ts';
import { strangeCode } from './named-programs.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { contentOf } from './streams.ts';
import { merge } from './subcommands.ts';

const PIP =
  'r requirement:, c constraint:, e editable:, t target:, prefix:, root:, d dest:, w wheel-dir:, i index-url:, extra-index-url:, f find-links:, U upgrade, user, break-system-packages, no-deps, pre, y yes, q quiet, v verbose, group:, no-index, cache-dir:, python:, p:, only-binary:, no-binary:, platform:, python-version:, log:, proxy:, timeout:, trusted-host:, global, site, force-reinstall, system, n no-build-isolation, report:, dry-run, progress-bar:, index:, default-index:, override:, resolution:, o output-file:, extra:, all-extras';

/** `pip …` and `uv pip …`. */
export function pip(words: readonly Value[], inv: Invocation): Outcome {
  const args = parseOptions([[''], ...words], grammar(PIP));
  const [verb, ...names] = args.operands;
  const name = word(verb);
  return { subcommand: name, flags: args.flags, operands: args.operands, ...pipVerb(name, names, args, inv) };
}

/** A package that is a directory: its `setup.py` runs. */
function localPackage(inv: Invocation, names: readonly Value[]): Outcome {
  const local = names.filter((name) => /^\.{1,2}(?:\/|\[|$)|^\//.test(knownPrefix(name)));
  return merge(
    ...local.map((name) => {
      const directory = known(knownPrefix(name).replace(/\[.*$/, ''));
      const { zone } = inv.world.resolve(inv.cwd, directory, true);
      const files = ['setup.py', 'pyproject.toml', 'setup.cfg'].map((file) => below(directory, [file]));
      const seen = files.some((path) => {
        const at = inv.world.resolve(inv.cwd, path, true).real;
        return at !== null && inv.world.content(at)?.value != null;
      });
      // A wheel is unpacked, a directory builds itself.
      const built = !seen && zone !== 'workspace' && !/\.(?:whl|txt)$/.test(knownPrefix(name));
      return merge(ownCode(inv, 'python', files.slice(0, 1)), { effects: built ? strangeCode(inv, [directory]) : [] });
    }),
  );
}

function pipVerb(name: string, names: readonly Value[], args: Parsed, inv: Invocation): Outcome {
  switch (name) {
    case 'install':
    case 'sync':
      if (args.has('dry-run')) return {};
      return merge(localPackage(inv, [...names, ...args.values('e')]), {
        files: [
          ...drafts(
            'read',
            [...args.values('r'), ...args.values('c')].filter((p) => !/^https?:/.test(knownPrefix(p))),
          ),
          ...drafts('write', [...args.values('t'), ...args.values('prefix'), ...args.values('root')], {
            recursive: true,
          }),
        ],
        effects: installs({
          remote: names.filter((file) => contentOf(inv, file).taints.includes('network')),
          packages: [...names, ...args.values('e'), ...args.values('r').filter((p) => /^https?:/.test(knownPrefix(p)))],
          global: args.has('user', 'break-system-packages', 'system'),
          index: [
            ...args.values('i'),
            ...args.values('extra-index-url'),
            ...args.values('index'),
            ...args.values('default-index'),
            ...args.values('f').filter((p) => /^https?:/.test(knownPrefix(p))),
          ],
          ...(names.length === 0 && args.has('r', 'e', 'group') ? { what: 'dependencies of the project' } : {}),
        }),
      });
    case 'download':
      return {
        files: drafts('write', [args.value('d') ?? ['.']], { partial: true }),
        effects: installs({ packages: names, index: args.values('i') }),
      };
    case 'wheel':
      return {
        files: drafts('write', [args.value('w') ?? ['.']], { partial: true }),
        effects: installs({ packages: names, index: args.values('i') }),
      };
    case 'compile':
      return { files: [...drafts('read', names), ...drafts('write', args.values('o'))] };
    case 'config': {
      const verb = word(names[0]);
      if (!/^(?:set|unset|edit)$/.test(verb)) return {};
      const path = args.has('global') ? '/etc/pip.conf' : `${inv.world.home}/.config/pip/pip.conf`;
      return { files: [draft('write', [path])] };
    }
    default:
      return {};
  }
}
