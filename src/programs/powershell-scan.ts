import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { draft, effect } from './drafts.ts';
import {
  DOTNET,
  isRegistry,
  LISTS,
  listing,
  pathsOf,
  started,
  textHeld,
  valueAfter,
  WEB_CLIENT,
} from './powershell-words.ts';
import { isSecretName } from './secret-names.ts';
import { knownWords, placedAt, windowsPath, windowsStatements, windowsWords } from './windows-text.ts';

const UNSURE = { certain: false } as const;

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

/** Files, programs, destinations that PowerShell text plainly names. Nothing of it is certain. */
export function scanPowerShell(text: string, home: string, start: Value | null = null): Outcome {
  const files: FileDraft[] = [];
  const dests: DestDraft[] = [];
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  const clean = withoutBlockComments(text)
    .replace(/`\r?\n/g, ' ')
    .replace(/`(.)/g, '$1');
  // Where it stands; null: where the call does.
  let base = start;
  const behind: (Value | null)[] = [];
  const placed = (path: Value): Value => placedAt(base, path);
  const here = (written: string): Value => placed(windowsPath(written, home));
  const aliases = new Map<string, string>();
  /** The text that a pipe hands on. */
  let spoken: string | null = null;
  let fetched = false;
  // What the last listing showed, which a pipe may hand on.
  let shown: readonly Value[] = [[{ glob: '*' }]];
  /** The variable of a loop over it. */
  let each = '';
  const values = new Map<string, string>();
  const marked = new Set([...clean.matchAll(/&\s*\(\s*([^()]+)\)/g)].map((match) => (match[1] as string).trim()));
  for (const statement of windowsStatements(clean, /[;|\n{}()&]/)) {
    const listed = /^\$(\w+)\s+in\s+(.*)$/i.exec(statement);
    if (listed) {
      const [lister = '', ...of] = windowsWords(listed[2] as string);
      if (LISTS.test(lister)) {
        shown = listing(of, home).map(placed);
        each = `$${(listed[1] as string).toLowerCase()}`;
      }
      continue;
    }
    const shows = /^(?:(?:write-output|write-host|echo)\s+)?\$env:(\w+)$/i.exec(statement)?.[1] ?? '';
    if (isSecretName(shows)) effects.push({ ...effect('secret-read', shows), ...UNSURE });
    const set = /^\$(\w+)\s*=\s*(.*)$/s.exec(statement);
    if (set) values.set((set[1] as string).toLowerCase(), set[2] as string);
    const out = />>?\s*("[^"]*"|'[^']*'|[^\s>]+)\s*$/.exec(statement);
    if (out && !/^\$null$/i.test(out[1] as string) && !/^&?\d$/.test(out[1] as string))
      files.push(draft('write', here(out[1] as string), UNSURE));
    const plain = (out ? statement.slice(0, out.index) : statement).replace(/^\$\w+\s*=\s*/, '');
    const called = /^(?:\.|&)\s+/.test(plain) || marked.has(statement);
    const given = windowsWords(plain.replace(/^(?:\.|&)\s+/, ''));
    const [first = '', ...rest] =
      called || /^\$\w+$/.test(given[0] ?? '') ? [textHeld(given[0] ?? '', values), ...given.slice(1)] : given;
    const name = aliases.get(first.toLowerCase()) ?? first;
    const words = [name, ...rest];
    if (
      /^\$/.test(name) &&
      rest.length > 0 &&
      /[+]|-join|-f\b|replace|\[char\]/i.test(values.get(name.slice(1).toLowerCase()) ?? '')
    )
      effects.push({ ...effect('exec-unknown', name, 'a command whose name is put together'), ...UNSURE });
    if (/\.ps1$/i.test(name)) files.push(draft('exec', here(name), UNSURE));
    if (/^(?:cd|sl|chdir|set-location|pushd|push-location)$/i.test(name)) {
      if (/^push/i.test(name)) behind.push(base);
      const [to] = pathsOf(rest);
      if (to !== undefined) base = here(to);
      continue;
    }
    if (/^(?:popd|pop-location)$/i.test(name)) {
      base = behind.pop() ?? start;
      continue;
    }
    if (/^(?:set-alias|sal|new-alias|nal)$/i.test(name)) {
      const [alias, of] = pathsOf(rest.filter((word) => !/^-(?:name|value)$/i.test(word)));
      if (alias && of) aliases.set(alias.toLowerCase(), of);
      continue;
    }
    const said =
      /^(["'])([\s\S]*)\1$/.exec(statement)?.[2] ?? (/^(?:echo|write-output)$/i.test(name) ? rest.join(' ') : null);
    if (
      !set &&
      said === null &&
      rest.length === 0 &&
      /^(?:bash|sh|zsh|dash|python3?|node|pwsh|powershell|ruby|perl)$/i.test(name)
    ) {
      if (spoken !== null && /sh$/.test(name))
        nested.push({ kind: 'script', via: 'powershell', text: known(spoken), ...UNSURE });
      else effects.push({ ...effect('exec-unknown', name, `${name} runs what a pipe gives it`), ...UNSURE });
      continue;
    }
    spoken = said;
    const verb = CMDLETS.get(name.toLowerCase());
    const flags = rest.filter((other) => /^-[a-zA-Z]/.test(other)).map((other) => other.toLowerCase());
    const recursive =
      flags.some((flag) => '-recurse'.startsWith(flag) && flag.length > 1) ||
      rest.some((other) => other.toLowerCase() === '/s');
    const force = flags.some((flag) => '-force'.startsWith(flag) && flag.length > 2);
    const handed = pathsOf(rest).filter((path) => !isRegistry(path));
    const paths = handed.flatMap((path) =>
      /^\$(?:_|psitem)\b/i.test(path) || (each !== '' && path.toLowerCase().split('.')[0] === each)
        ? shown
        : [here(path)],
    );
    const registry = verb === 'write' || verb === 'delete' ? pathsOf(rest).find(isRegistry) : undefined;
    if (registry) {
      const kind = /\\run(?:once)?\b/i.test(registry) ? 'persistence' : 'service';
      effects.push({ ...effect(kind, registry, `${name} ${registry}`), ...UNSURE });
      continue;
    }
    const [from, to] = paths;
    const target = rest.join(' ').slice(0, 80);
    if (LISTS.test(name)) shown = listing(rest, home).map(placed);
    else if (verb === 'delete')
      files.push(
        ...(paths.length > 0 ? paths : shown).map((path) => draft('delete', path, { recursive, force, ...UNSURE })),
      );
    else if (verb === 'write') files.push(...paths.slice(0, 1).map((path) => draft('write', path, UNSURE)));
    else if (verb === 'read')
      files.push(
        ...(name.toLowerCase().startsWith('s') ? paths.slice(1) : paths).map((path) => draft('read', path, UNSURE)),
      );
    else if (verb === 'copy' && from && to)
      files.push(draft('read', from, UNSURE), draft('write', to, { recursive, ...UNSURE }));
    else if (verb === 'move' && from && to)
      files.push(draft('move', from, { to, ...UNSURE }), draft('write', to, UNSURE));
    else if (verb === 'fetch') {
      fetched = true;
      const address = rest.find((other) => /^https?:/i.test(other));
      const from = valueAfter(rest, /^-inf(?:ile|il|i)?$/i);
      const sends =
        from !== null || flags.includes('-form')
          ? 'file'
          : flags.some((flag) => '-body'.startsWith(flag) && flag.length > 2)
            ? 'text'
            : 'nothing';
      const method = valueAfter(rest, /^-m(?:e(?:t(?:h(?:o(?:d)?)?)?)?)?$/i);
      if (address) dests.push({ address: known(address), sends, ...(method ? { method } : {}), ...UNSURE });
      if (from !== null) files.push(draft('read', here(from), UNSURE));
      const at = rest.findIndex((other) => /^-(outfile|o|destination)$/i.test(other));
      if (at >= 0 && rest[at + 1]) files.push(draft('write', here(rest[at + 1] as string), UNSURE));
    } else if (verb === 'run' && !isBlockHere(name, target)) {
      const remote = fetched || /https?:|DownloadString|Invoke-WebRequest|\biwr\b|\birm\b/i.test(text);
      effects.push({
        ...effect(
          remote ? 'exec-remote' : 'exec-unknown',
          'powershell',
          remote ? 'Invoke-Expression of text from the network' : 'Invoke-Expression',
        ),
        ...UNSURE,
      });
    } else if (verb === 'start') {
      const argv = started(rest);
      if (/runas/i.test(target))
        effects.push({ ...effect('privilege', argv[0] ?? '', `${name} ${target}`), ...UNSURE });
      if (argv.length > 0) nested.push({ kind: 'argv', via: 'powershell', argv: knownWords(argv), ...UNSURE });
    } else if (verb === 'disk') effects.push({ ...effect('disk', target, `${name} ${target}`), ...UNSURE });
    else if (verb === 'stop')
      effects.push({ ...effect('process-kill-name', paths.map(render).join(' '), `${name} ${target}`), ...UNSURE });
    else if (verb === 'power') effects.push({ ...effect('power', name, name), ...UNSURE });
    else if (verb === 'service' || verb === 'account')
      effects.push({ ...effect(verb, target, `${name} ${target}`), ...UNSURE });
    else if (verb === 'persist') effects.push({ ...effect('persistence', target, `${name} ${target}`), ...UNSURE });
    else if (verb === 'policy' && !/process/i.test(target))
      effects.push({ ...effect('service', 'execution policy', `${name} ${target}`), ...UNSURE });
    else if (/^send-mailmessage$/i.test(name)) {
      const attached = valueAfter(rest, /^-att/i);
      if (attached !== null) files.push(draft('read', here(attached), UNSURE));
      dests.push({
        address: known(valueAfter(rest, /^-smtp/i) ?? 'mail'),
        scheme: 'smtp',
        sends: 'file',
        method: 'SEND',
        ...UNSURE,
      });
    } else if (/^(?:install|update|uninstall)-(?:module|script|package|psresource)$/i.test(name))
      effects.push({
        ...effect(/allusers/i.test(target) ? 'install-system' : 'install-global', target, `${name} ${target}`),
        ...UNSURE,
      });
    else if (verb === undefined && /^[a-z][\w.+-]*$/.test(name) && rest.length > 0)
      nested.push({
        kind: 'argv',
        via: 'powershell',
        argv: knownWords(words),
        ...(base ? { cwd: base } : {}),
        ...UNSURE,
      });
  }
  for (const call of clean.matchAll(DOTNET)) {
    const [, method = '', first = '', second] = call;
    const path = here(first);
    if (/^(?:Read|Open(?:Read|Text)|Get|Enumerate)/i.test(method)) files.push(draft('read', path, UNSURE));
    else if (/^Delete/i.test(method)) files.push(draft('delete', path, { recursive: true, ...UNSURE }));
    else if (/^Move/i.test(method) && second) files.push(draft('move', path, { to: here(second), ...UNSURE }));
    else if (/^Copy/i.test(method) && second)
      files.push(draft('read', path, UNSURE), draft('write', here(second), UNSURE));
    else if (!/^(?:Exists|Is)/i.test(method)) files.push(draft('write', path, UNSURE));
  }
  for (const [, method = '', a = '', b = ''] of clean.matchAll(WEB_CLIENT)) {
    const [address, path] = /^https?:/i.test(a) ? [a, b] : [b, a];
    const uploads = /^Upload/i.test(method);
    dests.push({
      address: known(address),
      sends: uploads ? 'file' : 'nothing',
      ...(uploads ? { method: 'POST' } : {}),
      ...UNSURE,
    });
    if (path !== '' && /File/i.test(method)) files.push(draft(uploads ? 'read' : 'write', here(path), UNSURE));
  }
  if (/\[scriptblock\]::create\b|\.InvokeScript\b|\[powershell\]::create\b/i.test(clean))
    effects.push({
      ...effect(fetched ? 'exec-remote' : 'exec-unknown', 'powershell', 'a script block that is made of text'),
      ...UNSURE,
    });
  if (/\b(Get-ChildItem|gci|dir|ls)\s+env:|\$env:\*/i.test(text))
    effects.push({ ...effect('secret-read', 'environment', 'every environment variable'), ...UNSURE });
  return { files, dests, effects, nested };
}

/** `Invoke-Command { … }` on this machine: its block is read as the statements that it holds. */
function isBlockHere(name: string, words: string): boolean {
  return /^(?:invoke-command|icm)$/i.test(name) && !/-(?:comp|cn\b|session|hostname|filep|vm|cont)/i.test(words);
}

/** Without `<# … #>`; one that is not closed is left. */
function withoutBlockComments(text: string): string {
  let out = '';
  for (let at = 0; ; ) {
    const start = text.indexOf('<#', at);
    const end = start < 0 ? -1 : text.indexOf('#>', start + 2);
    if (end < 0) return out + text.slice(at);
    out += text.slice(at, start);
    at = end + 2;
  }
}
