import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, effect, word } from './drafts.ts';
import { contentOf } from './streams.ts';
import { decodeCommand, knownWords, windowsPath, windowsStatements, windowsWords } from './windows-text.ts';

const SURE = { certain: false } as const;

type Verb =
  | 'delete'
  | 'write'
  | 'read'
  | 'copy'
  | 'move'
  | 'fetch'
  | 'run'
  | 'start'
  | 'disk'
  | 'stop'
  | 'power'
  | 'service'
  | 'account'
  | 'persist'
  | 'policy';

/** Cmdlets and their aliases, lower case (Get-Alias of PowerShell 7 and 5.1). */
const CMDLETS = new Map<string, Verb>(
  (
    [
      ['delete', 'remove-item ri rm rmdir rd del erase clear-content clc remove-itemproperty clear-item'],
      [
        'write',
        'set-content sc add-content ac out-file new-item ni tee-object tee set-item set-itemproperty export-csv export-clixml start-transcript compress-archive expand-archive mkdir md',
      ],
      ['read', 'get-content gc cat type import-csv select-string sls get-itemproperty import-clixml'],
      ['copy', 'copy-item cp copy cpi'],
      ['move', 'move-item mv move mi rename-item ren rni'],
      ['fetch', 'invoke-webrequest iwr curl wget invoke-restmethod irm start-bitstransfer'],
      ['run', 'invoke-expression iex invoke-command icm'],
      ['start', 'start-process saps start start-job invoke-item ii'],
      [
        'disk',
        'format-volume clear-disk initialize-disk remove-partition new-partition format set-disk resize-partition dismount-volume reset-physicaldisk',
      ],
      ['stop', 'stop-process kill spps'],
      ['power', 'stop-computer restart-computer shutdown'],
      [
        'service',
        'stop-service start-service restart-service set-service new-service remove-service spsv sasv set-netfirewallprofile set-netfirewallrule new-netfirewallrule set-mppreference add-mppreference disable-computerrestore install-windowsfeature enable-windowsoptionalfeature',
      ],
      ['account', 'new-localuser set-localuser add-localgroupmember remove-localuser'],
      ['persist', 'register-scheduledtask new-scheduledtask register-objectevent schtasks set-wmiinstance'],
      ['policy', 'set-executionpolicy'],
    ] as const
  ).flatMap(([verb, names]) => names.split(' ').map((name): [string, Verb] => [name, verb])),
);

/** PowerShell: its program text is searched, never understood. */
export const powershell: readonly Program[] = [
  define({
    names: ['pwsh', 'powershell', 'pwsh-preview'],
    manual: 'about_pwsh, PowerShell documentation',
    summary: 'runs PowerShell program text',
    run: (_args, invocation) => {
      const { argv, stdin, stdinIsOpen, world } = invocation;
      for (let at = 1; at < argv.length; at++) {
        const option = word(argv[at]).toLowerCase();
        if (/^[-/](c|co|com|comm|command)$/.test(option))
          return foreign(
            argv
              .slice(at + 1)
              .map(render)
              .join(' '),
            world.home,
          );
        if (/^[-/](e|ec|en|enc|encodedcommand|encoded)$/.test(option)) {
          const text = textOf(argv[at + 1] ?? []);
          const code = text === null ? null : decodeCommand(text);
          const hidden = effect('exec-decoded', 'powershell', 'PowerShell runs encoded text');
          return code === null ? { effects: [hidden], opaque: true } : foreign(code, world.home);
        }
        if (/^[-/](f|file)$/.test(option)) return script(argv[at + 1] ?? [], invocation);
        if (
          /^[-/](executionpolicy|ep|ex|version|psconsolefile|inputformat|outputformat|windowstyle|w|configurationname|custompipename|settingsfile|workingdirectory|wd)$/.test(
            option,
          )
        )
          at++;
        else if (/^[-/]/.test(option)) continue;
        else if (/\.ps1$/.test(option)) return script(argv[at] ?? [], invocation);
        else return foreign(argv.slice(at).map(render).join(' '), world.home);
      }
      if (stdin.value !== null) return foreign(render(stdin.value), world.home);
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

function script(path: Value, invocation: Parameters<Program['run']>[1]): Outcome {
  const { value } = contentOf(invocation, path);
  const text = value === null ? null : textOf(value);
  const found = text === null ? { opaque: true } : foreign(text, invocation.world.home);
  return { ...found, files: [draft('exec', path), ...(found.files ?? [])] };
}

function foreign(text: string, home: string): Outcome {
  const found = scanPowerShell(text, home);
  return {
    ...found,
    effects: [effect('exec-foreign', 'PowerShell', 'PowerShell program text'), ...(found.effects ?? [])],
    opaque: true,
  };
}

/** Files, programs, destinations that PowerShell text plainly names. Nothing of it is certain. */
export function scanPowerShell(text: string, home: string): Outcome {
  const files: FileDraft[] = [];
  const dests: DestDraft[] = [];
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  const clean = text
    .replace(/<#[\s\S]*?#>/g, '')
    .replace(/`\r?\n/g, ' ')
    .replace(/`(.)/g, '$1');
  let fetched = false;
  // What the last listing showed, which a pipe may hand on.
  let shown: readonly Value[] = [[{ glob: '*' }]];
  for (const statement of windowsStatements(clean, /[;|\n{}()&]/)) {
    const out = />>?\s*("[^"]*"|'[^']*'|[^\s>]+)\s*$/.exec(statement);
    if (out && !/^\$null$/i.test(out[1] as string) && !/^&?\d$/.test(out[1] as string))
      files.push(draft('write', windowsPath(out[1] as string, home), SURE));
    const words = windowsWords(
      (out ? statement.slice(0, out.index) : statement).replace(/^\$\w+\s*=\s*/, '').replace(/^(?:\.|&)\s+/, ''),
    );
    const [name = '', ...rest] = words;
    const verb = CMDLETS.get(name.toLowerCase());
    const flags = rest.filter((other) => /^-[a-zA-Z]/.test(other)).map((other) => other.toLowerCase());
    const recursive =
      flags.some((flag) => '-recurse'.startsWith(flag) && flag.length > 1) ||
      rest.some((other) => other.toLowerCase() === '/s');
    const force = flags.some((flag) => '-force'.startsWith(flag) && flag.length > 2);
    const paths = pathsOf(rest).map((path) => windowsPath(path, home));
    const [from, to] = paths;
    const target = rest.join(' ').slice(0, 80);
    if (/^(get-childitem|gci|ls|dir|get-item|gi)$/i.test(name)) shown = paths.length > 0 ? paths : [[{ glob: '*' }]];
    else if (verb === 'delete')
      files.push(
        ...(paths.length > 0 ? paths : shown).map((path) => draft('delete', path, { recursive, force, ...SURE })),
      );
    else if (verb === 'write') files.push(...paths.slice(0, 1).map((path) => draft('write', path, SURE)));
    else if (verb === 'read')
      files.push(
        ...(name.toLowerCase().startsWith('s') ? paths.slice(1) : paths).map((path) => draft('read', path, SURE)),
      );
    else if (verb === 'copy' && from && to)
      files.push(draft('read', from, SURE), draft('write', to, { recursive, ...SURE }));
    else if (verb === 'move' && from && to) files.push(draft('move', from, { to, ...SURE }), draft('write', to, SURE));
    else if (verb === 'fetch') {
      fetched = true;
      const address = rest.find((other) => /^https?:/i.test(other));
      const sends = flags.some((flag) => flag === '-body' || flag === '-infile' || flag === '-form')
        ? 'text'
        : 'nothing';
      if (address) dests.push({ address: known(address), sends, ...SURE });
      const at = rest.findIndex((other) => /^-(outfile|o|destination)$/i.test(other));
      if (at >= 0 && rest[at + 1]) files.push(draft('write', windowsPath(rest[at + 1] as string, home), SURE));
    } else if (verb === 'run') {
      const remote = fetched || /https?:|DownloadString|Invoke-WebRequest|\biwr\b|\birm\b/i.test(text);
      effects.push({
        ...effect(
          remote ? 'exec-remote' : 'exec-unknown',
          'powershell',
          remote ? 'Invoke-Expression of text from the network' : 'Invoke-Expression',
        ),
        ...SURE,
      });
    } else if (verb === 'start') {
      const argv = pathsOf(rest).flatMap(windowsWords);
      if (argv.length > 0) nested.push({ kind: 'argv', via: 'powershell', argv: knownWords(argv), ...SURE });
    } else if (verb === 'disk') effects.push({ ...effect('disk', target, `${name} ${target}`), ...SURE });
    else if (verb === 'stop')
      effects.push({ ...effect('process-kill-name', paths.map(render).join(' '), `${name} ${target}`), ...SURE });
    else if (verb === 'power') effects.push({ ...effect('power', name, name), ...SURE });
    else if (verb === 'service' || verb === 'account')
      effects.push({ ...effect(verb, target, `${name} ${target}`), ...SURE });
    else if (verb === 'persist') effects.push({ ...effect('persistence', target, `${name} ${target}`), ...SURE });
    else if (verb === 'policy' && !/process/i.test(target))
      effects.push({ ...effect('service', 'execution policy', `${name} ${target}`), ...SURE });
    else if (verb === undefined && /^[a-z][\w.+-]*$/.test(name) && rest.length > 0)
      nested.push({ kind: 'argv', via: 'powershell', argv: knownWords(words), ...SURE });
    for (const call of statement.matchAll(
      /\[(?:System\.)?IO\.(?:File|Directory)\]::(Delete|WriteAllText|AppendAllText|Move|ReadAllText)/g,
    )) {
      effects.push({ ...effect('exec-foreign', 'PowerShell', `[IO.File]::${call[1]}`), ...SURE });
    }
  }
  if (/\b(Get-ChildItem|gci|dir|ls)\s+env:|\$env:\*/i.test(text))
    effects.push({ ...effect('secret-read', 'environment', 'every environment variable'), ...SURE });
  return { files, dests, effects, nested };
}

/** Words that are not options or values of options that take one. */
function pathsOf(words: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at] as string;
    if (
      /^-(value|encoding|filter|exclude|include|itemtype|pattern|method|headers|body|argumentlist|name|id|erroraction|ea|type|timeoutsec|uri|useragent|depth|totalcount|head|tail)$/i.test(
        text,
      )
    ) {
      if (/^-(name|id|argumentlist)$/i.test(text) && words[at + 1]) out.push(words[at + 1] as string);
      at++;
    } else if (!/^-[a-zA-Z]/.test(text)) out.push(text);
  }
  return out;
}
