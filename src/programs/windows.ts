import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, effect, word } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import { knownWords, placedAt, windowsPath, windowsStatements, windowsWords } from './windows-text.ts';

const MAYBE = { certain: false } as const;

/** Programs of Windows that are called from WSL, Git Bash or an agent there. */
export const windows: readonly Program[] = [
  define({
    names: ['cmd', 'command.com'],
    manual: 'cmd, Windows commands reference',
    summary: 'runs a line of cmd',
    run: (_args, { argv, world }) => {
      const at = argv.findIndex((value) => /^[/-]{1,2}[ckr]$/i.test(word(value)));
      if (at < 0) return {};
      const line = argv
        .slice(at + 1)
        .map(render)
        .join(' ');
      return { ...scanCmd(line, world.home), opaque: true };
    },
  }),
  define({
    names: [
      'reg',
      'sc',
      'regedit',
      'schtasks',
      'bcdedit',
      'diskpart',
      'vssadmin',
      'wbadmin',
      'wevtutil',
      'netsh',
      'icacls',
      'takeown',
      'cipher',
      'fsutil',
      'robocopy',
      'xcopy',
      'attrib',
      'wmic',
      'mountvol',
      'cacls',
      'net',
      'net1',
      'rundll32',
      'regsvr32',
      'mshta',
      'cscript',
      'wscript',
      'certutil',
      'bitsadmin',
      'forfiles',
      'msiexec',
    ],
    manual: 'Windows commands reference',
    summary: 'administers Windows',
    run: (_args, { name, argv, world }) => administer(name, argv.slice(1).map(render), world.home),
  }),
  define({
    names: ['osascript', 'automator', 'shortcuts'],
    manual: 'osascript(1): `do shell script` runs a shell',
    summary: 'runs AppleScript',
    options: 'e:, l:, s:, i',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      const given = args.values('e').map(render);
      const file = args.has('e') ? undefined : args.operands[0];
      const { stdin } = invocation;
      const texts = given.length > 0 || file ? given : [stdin.value === null ? '' : render(stdin.value)];
      const source = texts.join('\n');
      const nested = [...source.matchAll(/(?:do shell script|doShellScript\(|do script)\s*"((?:[^"\\]|\\.)*)"/g)].map(
        (match): Nested => ({
          kind: 'script',
          via: 'osascript',
          text: known((match[1] as string).replace(/\\(.)/g, '$1')),
          certain: false,
        }),
      );
      const scripted = foreignCode([known(source)], 'osascript');
      const raised: EffectDraft[] = /with administrator privileges/.test(source)
        ? [{ ...effect('privilege', 'root osascript', 'osascript: a shell as root'), certain: false }]
        : [];
      return {
        files: [...(file ? [draft('exec', file)] : []), ...(scripted.files ?? [])],
        effects: [effect('exec-foreign', 'AppleScript', 'an AppleScript program'), ...raised],
        nested: [...nested, ...(scripted.nested ?? [])],
        opaque: true,
      };
    },
  }),
  define({
    names: ['dc'],
    manual: 'dc(1), GNU bc: `!` runs a command',
    summary: 'calculates',
    options: 'e expression:, f file:, V, h, i, x',
    run: (args, { stdin }) => {
      const text = [...args.values('e'), ...(stdin.value === null ? [] : [stdin.value])].map(render).join('\n');
      const nested = [...text.matchAll(/!(?![<>=])([^\n]+)/g)].map(
        (match): Nested => ({ kind: 'script', via: 'dc', text: known((match[1] as string).trim()) }),
      );
      return { files: args.operands.map((path) => draft('read', path)), nested };
    },
  }),
];

/** Commands of a line of cmd: what they delete, write and run. Nothing of it is certain. */
export function scanCmd(line: string, home: string): Outcome {
  const files: FileDraft[] = [];
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  const text = line.replace(/\^(.)/g, '$1');
  // `for %i in (…) do …`: what stands in the parentheses is what the variable goes through.
  let base: Value | null = null;
  const here = (written: string): Value => placedAt(base, windowsPath(written, home));
  let loop: { readonly variable: string; readonly over: readonly Value[] | null } | null = null;
  for (const statement of windowsStatements(text, /[&|\n()]/)) {
    const start = /^for\s+(?:\/\w+\s+)*(%{1,2}\w)\s+in$/i.exec(statement);
    if (start) {
      loop = { variable: start[1] as string, over: null };
      continue;
    }
    if (loop && loop.over === null) {
      const unknown: Value = [{ hole: loop.variable, like: 'any' }];
      const computed = /['"`]/.test(statement);
      loop = { ...loop, over: computed ? [unknown] : windowsWords(statement).map((w) => here(w)) };
      continue;
    }
    for (const out of statement.matchAll(/>>?\s*("[^"]*"|[^\s>"]+)/g)) {
      if (!/^(nul|con|&\d)$/i.test(out[1] as string)) files.push(draft('write', here(out[1] as string), MAYBE));
    }
    const words = windowsWords(
      statement
        .replace(/>>?\s*("[^"]*"|[^\s>"]+)/g, '')
        .replace(/^@/, '')
        .replace(/^(?:do|else)\s+/i, '')
        .replace(
          /^if\s+(?:\/i\s+)?(?:not\s+)?(?:exist\s+(?:"[^"]*"|\S+)|defined\s+\S+|errorlevel\s+\d+|\S+\s*==\s*\S+)\s+/i,
          '',
        ),
    );
    const [first = '', ...rest] = words;
    const name = first.toLowerCase().replace(/\.exe$/, '');
    const switches = rest.filter((other) => /^\/[a-z?]+(:.*)?$/i.test(other)).map((other) => other.toLowerCase());
    const over = loop;
    const paths = rest
      .filter((other) => !/^\/[a-z?]+(:.*)?$/i.test(other))
      .flatMap((other) => (over?.over && other === over.variable ? over.over : [here(other)]));
    const [from, to] = paths;
    const more = {
      recursive: switches.includes('/s'),
      force: switches.some((other) => other === '/q' || other === '/f'),
      ...MAYBE,
    };
    if (/^(?:cd|chdir|pushd)$/.test(name)) {
      const [to] = paths;
      if (to) base = to;
    } else if (/^[!%]\w+[!%]$/.test(first))
      effects.push({ ...effect('exec-unknown', first, 'a command that a variable holds'), ...MAYBE });
    else if (/^(del|erase|rd|rmdir|deltree)$/.test(name))
      files.push(...paths.map((path) => draft('delete', path, more)));
    else if (/^(copy|xcopy|robocopy)$/.test(name) && from && to)
      files.push(draft('read', from, MAYBE), draft('write', to, more));
    else if (/^(move|ren|rename)$/.test(name) && from && to) files.push(draft('move', from, { to, ...MAYBE }));
    else if (/^(md|mkdir)$/.test(name)) files.push(...paths.map((path) => draft('create', path, MAYBE)));
    else if (/^(type|more|findstr|find)$/.test(name))
      files.push(...(name.startsWith('find') ? paths.slice(1) : paths).map((path) => draft('read', path, MAYBE)));
    else if (name === 'format')
      effects.push({ ...effect('disk', rest.join(' '), `format ${rest.join(' ')}`), ...MAYBE });
    else if (/^(start|call)$/.test(name)) {
      const argv = rest.filter((other) => !other.startsWith('/'));
      if (argv.length > 0) nested.push({ kind: 'argv', via: 'cmd', argv: knownWords(argv), ...MAYBE });
    } else if (name === 'set' && rest.length === 0)
      effects.push({ ...effect('secret-read', 'environment', 'every environment variable'), ...MAYBE });
    else if (name === 'shutdown') effects.push({ ...effect('power', 'shutdown', statement), ...MAYBE });
    else if (
      !/^(echo|set|cd|chdir|dir|if|for|rem|pause|cls|ver|vol|exit|title|path|prompt|setlocal|endlocal|pushd|popd|where|tree|)$/.test(
        name,
      )
    ) {
      // cmd looks for programs in the current directory first.
      const own = /^[\w.-]+\.(?:bat|cmd|ps1)$/.test(name) ? `./${first}` : name;
      nested.push({
        kind: 'argv',
        via: 'cmd',
        argv: knownWords([own, ...rest]),
        ...(base ? { cwd: base } : {}),
        ...MAYBE,
      });
    }
  }
  return { files, effects, nested };
}

/** Administrative programs of Windows by what their first words change. */
function administer(name: string, texts: readonly string[], home: string): Outcome {
  const line = texts.join(' ').slice(0, 120);
  const verb = (texts[0] ?? '').toLowerCase();
  const detail = `${name} ${line}`;
  const one = (kind: EffectDraft['kind'], target = line): Outcome => ({
    subcommand: verb,
    effects: [effect(kind, target, detail)],
  });
  const path = (text: string | undefined): Value => windowsPath(text ?? '', home);
  switch (name) {
    case 'reg':
      return /^(add|delete|import|restore|load|unload|copy)$/.test(verb)
        ? one(/\\run(once)?\b/i.test(line) ? 'persistence' : 'service')
        : {};
    case 'sc':
      return /^(create|delete|config|start|stop|failure|sdset|control|pause|continue)$/.test(verb)
        ? one('service')
        : {};
    case 'regedit':
      return texts.length > 0 ? one('service') : {};
    case 'schtasks':
      return /^\/(create|change|delete|run)$/i.test(verb) ? one('persistence') : {};
    case 'bcdedit':
      return texts.length > 0 && !/^\/(enum|v|\?)/.test(verb) ? one('kernel') : {};
    case 'diskpart':
      return one('disk');
    case 'vssadmin':
    case 'wbadmin':
    case 'mountvol':
    case 'fsutil':
      return /delete|resize|format|\/d\b|setzerodata|dirty set/i.test(line) ? one('disk') : {};
    case 'wevtutil':
      return /^(cl|clear-log|sl|set-log)$/.test(verb) ? one('service') : {};
    case 'netsh':
      return /firewall/.test(line) && /(set|add|delete|reset)/.test(line)
        ? one('firewall')
        : /(set|add|delete|reset|import)/.test(line)
          ? one('service')
          : {};
    case 'net':
    case 'net1':
      if (/^(user|localgroup|group|accounts)$/.test(verb) && texts.length > 2) return one('account');
      return /^(start|stop|pause|continue|share|use)$/.test(verb) && texts.length > 1 ? one('service') : {};
    case 'icacls':
    case 'cacls':
    case 'takeown':
    case 'attrib': {
      const named = texts.find((text) => !/^([/+-]|[A-Za-z]+:\()/.test(text));
      const changes =
        name === 'takeown' ||
        texts.some((text) => /^\/(grant|deny|remove|reset|setowner|inheritance|[gped])|^[+-][rashi]$/i.test(text));
      return named && changes
        ? { files: [draft('chmod', path(named), { mode: detail, recursive: /\/[ts]\b/i.test(line) })] }
        : {};
    }
    case 'cipher':
      return /\/w/i.test(line) ? one('disk') : {};
    case 'robocopy':
    case 'xcopy': {
      const [from, to] = texts.filter((text) => !text.startsWith('/'));
      if (!from || !to) return {};
      const mirror = /\/(mir|purge)\b/i.test(line)
        ? [draft('delete', path(to), { recursive: true, contentsOnly: true, partial: true })]
        : [];
      const moved = /\/mov/i.test(line) ? [draft('delete', path(from), { recursive: true })] : [];
      return {
        files: [
          draft('read', path(from), { recursive: true }),
          draft('write', path(to), { recursive: true }),
          ...mirror,
          ...moved,
        ],
      };
    }
    case 'wmic':
      return /\b(delete|call|create|set)\b/i.test(line)
        ? { effects: [effect('service', line, detail)], opaque: true }
        : {};
    case 'certutil':
    case 'bitsadmin': {
      const url = texts.find((text) => /^https?:/.test(text));
      const target = texts.filter((text) => !/^(-|\/|https?:)/.test(text)).at(-1);
      const decodes = /-decode/.test(line);
      return {
        dests: url ? [{ address: known(url), sends: 'nothing' }] : [],
        files: target && (url || decodes) ? [draft('write', path(target))] : [],
      };
    }
    case 'forfiles': {
      const at = texts.findIndex((text) => text.toLowerCase() === '/c');
      return at >= 0 ? scanCmd((texts[at + 1] ?? '').replace(/^cmd\s+\/c\s+/i, ''), home) : {};
    }
    case 'msiexec':
      return one('install-system');
    default:
      return { effects: [effect('exec-unknown', line, detail)], opaque: true };
  }
}
