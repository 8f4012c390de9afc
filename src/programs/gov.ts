import { textOf } from '../model/value.ts';
import { define, type Program } from './define.ts';

/** gov itself, so that rules can tell its reading commands from those that lift protection. */
export const gov: readonly Program[] = [
  define({
    names: ['gov'],
    manual: 'gov --help',
    summary: "gov's own command line",
    options: ['json', 'help', 'agent:', 'scope:', 'preset:', 'dry-run', 'yes'],
    run: (args) => ({ subcommand: textOf(args.operands[0] ?? []) ?? '', operands: args.operands.slice(1) }),
  }),
];
