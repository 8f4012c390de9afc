import { define, type Program } from './define.ts';
import { drafts } from './drafts.ts';

/** coreutils that delete, move, copy and make files. */
export const coreutilsFiles: readonly Program[] = [
  define({
    names: ['rm'],
    manual: 'rm(1), GNU coreutils; rm(1), BSD',
    summary: 'deletes files and trees',
    options: [
      'f force',
      'i',
      'I',
      'interactive?',
      'r R recursive',
      'd dir',
      'v verbose',
      'one-file-system',
      'no-preserve-root',
      'preserve-root?',
      'P',
      'W',
      'x',
      'help',
      'version',
    ],
    run: (args) => ({
      files: drafts('delete', args.operands, { recursive: args.has('r'), force: args.has('f'), follow: false }),
    }),
  }),
];
