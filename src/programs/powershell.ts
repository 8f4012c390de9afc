import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, effect, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import { scanPowerShell } from './powershell-scan.ts';
import { contentOf } from './streams.ts';
import { decodeCommand, windowsPath } from './windows-text.ts';

/** Options with a value; `-ep` and `-wd` are names of their own (about_pwsh). */
const TAKES_VALUE = words(
  'executionpolicy ep version psconsolefile inputformat if outputformat of windowstyle configurationname configurationfile custompipename settingsfile workingdirectory wd',
);

/** PowerShell: its program text is searched, never understood. */
export const powershell: readonly Program[] = [
  define({
    names: ['pwsh', 'powershell', 'pwsh-preview'],
    manual: 'about_pwsh, PowerShell documentation',
    summary: 'runs PowerShell program text',
    run: (_args, invocation) => {
      const { argv, stdin, stdinIsOpen } = invocation;
      for (let at = 1; at < argv.length; at++) {
        const option = word(argv[at]).toLowerCase();
        const name = /^[-/]\w+$/.test(option) ? option.slice(1) : null;
        if (name !== null && ('command'.startsWith(name) || 'commandwithargs'.startsWith(name) || name === 'cwa')) {
          const text = argv
            .slice(at + 1)
            .map(render)
            .join(' ');
          if (text.trim() === '-') break;
          return foreign(text, invocation);
        }
        // Any beginning of a name that no other option has.
        if (name !== null && ('encodedcommand'.startsWith(name) || name === 'ec')) {
          const text = textOf(argv[at + 1] ?? []);
          const code = text === null ? null : decodeCommand(text);
          const hidden = effect('exec-decoded', 'powershell', 'PowerShell runs encoded text');
          return code === null ? { effects: [hidden], opaque: true } : foreign(code, invocation);
        }
        if (name !== null && 'file'.startsWith(name)) return script(argv[at + 1] ?? [], invocation);
        if (name !== null && TAKES_VALUE.some((long) => long.startsWith(name))) at++;
        else if (/^-|^\/\w*$/.test(option)) continue;
        else if (/\.ps1$/.test(option)) return script(argv[at] ?? [], invocation);
        else return foreign(argv.slice(at).map(render).join(' '), invocation);
      }
      if (stdin.value !== null) return foreign(render(stdin.value), invocation);
      if (stdinIsOpen) return {};
      const kind = stdin.taints.includes('network')
        ? 'exec-remote'
        : stdin.taints.includes('decoded')
          ? 'exec-decoded'
          : 'exec-unknown';
      return { effects: [effect(kind, 'powershell', 'PowerShell runs its standard input')], opaque: true };
    },
  }),
];

function script(path: Value, invocation: Invocation): Outcome {
  if (textOf(path) === '-')
    return invocation.stdin.value === null ? { opaque: true } : foreign(render(invocation.stdin.value), invocation);
  const { value } = contentOf(invocation, path);
  const text = value === null ? null : textOf(value);
  const found = text === null ? { opaque: true, effects: strangeCode(invocation, [path]) } : foreign(text, invocation);
  return { ...found, files: [draft('exec', path), ...(found.files ?? [])] };
}

function foreign(text: string, invocation: Invocation): Outcome {
  const at = invocation.argv.findIndex((value) => /^[-/](?:wd|workingd\w*)$/i.test(word(value)));
  const start = at < 0 ? null : windowsPath(word(invocation.argv[at + 1]), invocation.world.home);
  const scanned = scanPowerShell(text, invocation.world.home, start);
  const sourced = scanned.files?.filter(({ op }) => op === 'exec').map(({ path }) => path) ?? [];
  const found = { ...scanned, effects: [...(scanned.effects ?? []), ...strangeCode(invocation, sourced)] };
  return {
    ...found,
    effects: [effect('exec-foreign', 'PowerShell', 'PowerShell program text'), ...(found.effects ?? [])],
    opaque: true,
  };
}
