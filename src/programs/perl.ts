import type { FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { concat, known, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts } from './drafts.ts';
import { changedInPlace, foldPerl, insertedByPerl } from './in-place.ts';
import type { Language } from './inline-code.ts';
import { runsCode, runsFile, runsStdin } from './interpreter.ts';
import { ordinary } from './ordinary.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

/** Switches of an interpreter that works on files line by line (perlrun(1), ruby(1)). */
interface Switches {
  readonly codes: readonly Value[];
  /** `-i`: operands are edited in place; the suffix keeps a copy. */
  readonly inPlace: boolean;
  readonly suffix: string;
  /** `-n`, `-p`: operands are data, not arguments. */
  readonly lines: boolean;
  readonly checks: boolean;
  readonly directory: Value | null;
  readonly libraries: readonly Value[];
  readonly flags: readonly string[];
  readonly operands: readonly Value[];
}

interface Letters {
  /** Take the rest of the word or the next word. */
  readonly value: string;
  /** Take the rest of the word only. */
  readonly attached: string;
  readonly code: string;
}

/** Reads switches up to the first operand; clusters such as `-lane` and `-pi.bak` included. */
export function switchesOf(argv: readonly Value[], letters: Letters): Switches {
  const codes: Value[] = [];
  const libraries: Value[] = [];
  const flags: string[] = [];
  let suffix = '';
  let directory: Value | null = null;
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i] as Value;
    const first = word[0];
    const start = typeof first === 'string' ? first : '';
    if (start === '--' && word.length === 1) {
      i++;
      break;
    }
    if (start.startsWith('--')) {
      flags.push(start.slice(2));
      continue;
    }
    if (!start.startsWith('-') || start === '-') break;
    for (let at = 1; at < start.length; at++) {
      const letter = start[at] as string;
      flags.push(letter);
      const attached = concat(
        [start.slice(at + 1)].filter((s) => s !== ''),
        word.slice(1),
      );
      if (letters.value.includes(letter)) {
        if (attached.length === 0) i++;
        const value = attached.length > 0 ? attached : (argv[i] ?? []);
        if (letters.code.includes(letter)) codes.push(value);
        else if (letter === 'r') libraries.push(value);
        else if (letter === 'C') directory = value;
        break;
      }
      if (letters.attached.includes(letter)) {
        // `-0777pi`: digits belong to -0, letters after them are switches again.
        const digits =
          letter === '0' || letter === 'l' || letter === 'W' || letter === 'K'
            ? (/^[0-9a-fxX]*?(?=[a-wyzA-Z]|$)/.exec(start.slice(at + 1))?.[0] ?? '')
            : null;
        if (digits === null) {
          if (letter === 'i') suffix = start.slice(at + 1);
          break;
        }
        at += digits.length;
      }
    }
  }
  return {
    codes,
    inPlace: flags.includes('i'),
    suffix,
    lines: flags.includes('n') || flags.includes('p'),
    checks:
      flags.includes('c') ||
      flags.includes('v') ||
      flags.includes('V') ||
      flags.includes('version') ||
      flags.includes('help'),
    directory,
    libraries,
    flags,
    operands: argv.slice(i),
  };
}

/** What an interpreter with such switches runs and touches. */
export function lineInterpreter(inv: Invocation, language: Language, s: Switches): Outcome {
  const seen = { flags: s.flags, operands: s.operands };
  if (s.checks && s.codes.length === 0) return { ...seen, files: drafts('read', s.operands) };
  const libraries = s.libraries
    .filter((l) => /^(?:\.{0,2}\/|~)/.test(typeof l[0] === 'string' ? l[0] : ''))
    .map((l) => runsFile(inv, language, l, []));
  if (s.codes.length === 0) {
    const [script, ...rest] = s.operands;
    return {
      ...merge(...libraries, script ? runsFile(inv, language, script, rest) : runsStdin(inv, language, [])),
      ...seen,
    };
  }
  const code =
    s.codes.length === 1
      ? (s.codes[0] as Value)
      : concat(...s.codes.flatMap((c, at): Value[] => (at === 0 ? [c] : [known('\n'), c])));
  const data = s.lines || s.inPlace;
  const edits = s.inPlace
    ? [
        ...drafts('read', s.operands),
        ...changedBy(inv, language, s, code),
        ...(s.suffix !== '' && !s.suffix.includes('*')
          ? drafts(
              'write',
              s.operands.map((o) => concat(o, [s.suffix])),
            )
          : []),
      ]
    : data
      ? drafts('read', s.operands)
      : [];
  return { ...merge(...libraries, { files: edits }, runsCode(inv, language, code, data ? [] : s.operands)), ...seen };
}

/** Files changed in place; plain substitutions of Perl are followed, line by line. */
function changedBy(inv: Invocation, language: Language, s: Switches, code: Value): readonly FileDraft[] {
  const text = textOf(code);
  if (text === null || language !== 'perl') return changedInPlace(inv, s.operands, () => null);
  const byLine = s.flags.includes('p') && !s.flags.some((flag) => flag === '0' || flag === 'l');
  return changedInPlace(inv, s.operands, (old) => (byLine ? foldPerl(text, old) : null), insertedByPerl(text));
}

/** Perl and its tools. */
export const perl: readonly Program[] = withToolCode([
  define({
    names: ['perl'],
    manual: 'perlrun(1)',
    summary: 'runs Perl code',
    run: (_, inv) =>
      lineInterpreter(inv, 'perl', switchesOf(inv.argv, { value: 'eEMmI', attached: 'iFCDxd0l', code: 'eE' })),
  }),
  define({
    names: words('prove cpan cpanm cpanminus carton'),
    manual: 'prove(1), cpanm(1)',
    summary: 'tests Perl code or installs modules',
    options:
      'I:, l lib, r recurse, v verbose, j jobs:, e exec:, L local-lib-contained:, n notest, S sudo, i installdeps, installdeps, q quiet',
    run: (args, inv) => {
      if (inv.name === 'prove') return { opaque: true };
      const names = args.operands.map((o) => (typeof o[0] === 'string' ? o[0] : '')).join(' ');
      return {
        effects: [
          args.has('installdeps') || inv.name === 'carton'
            ? { kind: 'install', target: 'dependencies of the project' }
            : { kind: 'install-global', target: names },
        ],
      };
    },
  }),
  ordinary({
    names: ['perltidy', 'perlcritic'],
    manual: 'perltidy(1)',
    summary: 'formats Perl code',
    options: 'b, o:, st, pro:',
    style: { singleDashLong: true },
    rewrites: ['b'],
    writes: ['o'],
  }),
]);
