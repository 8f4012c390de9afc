import type { Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { effect, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { argv } from './version-managers.ts';
import { atDashes } from './words.ts';

export function nix(args: Parsed): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  const at = rest.findIndex((w) => /^(?:-c|--command)$/.test(render(w)));
  const { before, after } = atDashes(rest);
  switch (name) {
    case 'develop':
    case 'shell':
    case 'env':
      return { subcommand: name, nested: argv(`nix ${name}`, at < 0 ? [] : rest.slice(at + 1)) };
    case 'run': {
      const flake = render(before.find((w) => !render(w).startsWith('-')) ?? ['.']);
      const remote = /^(?:github|gitlab|git\+|https?|sourcehut|tarball):?/.test(flake);
      const program = /#([\w.-]+)$/.exec(flake)?.[1];
      return {
        subcommand: name,
        effects: remote ? [effect('exec-remote', flake, 'runs a flake from an address')] : [],
        nested: program && after ? argv('nix run', [known(program), ...after]) : [],
      };
    }
    case 'profile':
      return {
        subcommand: name,
        effects: /^(?:install|add|remove|upgrade|rollback)$/.test(word(rest[0]))
          ? [effect('install-global', rest.slice(1).map(render).join(' '))]
          : [],
      };
    case 'eval': {
      const expr = rest.findIndex((w) => textOf(w) === '--expr');
      return { subcommand: name, opaque: expr >= 0 };
    }
    case 'copy':
      return {
        subcommand: name,
        dests: rest.flatMap((w, i) =>
          textOf(w) === '--to' && rest[i + 1] ? [{ address: rest[i + 1] as Value, sends: 'file' as const }] : [],
        ),
      };
    default:
      return { subcommand: name };
  }
}
