import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, type Stream, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, reads, word } from './drafts.ts';
import { scanEx } from './ex-commands.ts';
import { namedPrograms, strangeCode } from './named-programs.ts';
import { homeOf } from './paths.ts';
import { contentOf } from './streams.ts';

/** Editors and pagers: commands in their options, programs that they start. */
export const editors: readonly Program[] = [
  define({
    names: words('vim vi nvim view vimdiff gvim rvim rview gview evim nvi elvis vim.tiny vim.basic ex'),
    manual: 'vim(1), ex(1): -c and +COMMAND are ex commands',
    summary: 'edits files',
    options:
      'c:, cmd:, S:, s, w:, W:, u:, i:, U:, t:, q?, T:, d, e, E, n, N, R, Z, b, D, m, M, y, g, f, l, p?, o?, O?, P:, r?, v, V?, x, X, L, servername:, remote-send:, remote-expr:, startuptime:, log:, headless, clean, noplugin, embed, listen:, not-a-term, literal, version, help',
    style: { abbreviations: false },
    run: (args, invocation) => {
      const plus = args.operands
        .filter((value) => knownPrefix(value).startsWith('+'))
        .map((value) => word(value).slice(1));
      const paths = args.operands.filter((value) => !knownPrefix(value).startsWith('+'));
      const ex = args.has('e', 'E') || invocation.name === 'ex';
      // Without -e, -s names a file of normal mode keys.
      const keys = args.has('s') && !ex ? paths.slice(0, 1) : [];
      const sourced = [
        ...args.values('S'),
        ...args.values('u').filter((path) => !/^(NONE|NORC|DEFAULTS)$/.test(word(path))),
      ];
      const lua = invocation.name === 'nvim' && args.has('l') ? paths.slice(0, 1) : [];
      const streams: Stream[] = [...sourced.map((path) => contentOf(invocation, path))];
      if (ex) streams.push(invocation.stdin);
      streams.push(...keys.map((path) => contentOf(invocation, path)));
      const texts = [...args.values('c', 'cmd').map(word), ...plus, ...streams.map(textOfStream)];
      const found = scanEx(texts.join('\n'), invocation.name);
      return {
        files: [
          ...reads([...paths, ...sourced]),
          ...(found.saves ? drafts('write', paths) : []),
          ...found.files,
          ...drafts('write', args.values('w', 'W', 'startuptime')),
        ],
        nested: [
          ...found.nested,
          ...lua.map((path): Nested => ({ kind: 'argv', via: 'nvim', argv: [known('lua'), path] })),
        ],
        effects: [...found.effects, ...strangeCode(invocation, sourced)],
      };
    },
  }),
  define({
    names: ['ed', 'red', 'bed'],
    manual: 'ed(1), POSIX: commands come from standard input',
    summary: 'edits a file line by line',
    options: 's silent quiet, p prompt:, v verbose, G traditional, l loose-exit-status, E, r restricted, x',
    run: (args, invocation) => {
      const found = scanEx(textOfStream(invocation.stdin), invocation.name);
      const unknown = invocation.stdin.value === null && !invocation.stdinIsOpen;
      return {
        files: [
          ...reads(args.operands),
          ...(found.saves || unknown ? drafts('write', args.operands) : []),
          ...found.files,
        ],
        nested: found.nested,
        effects: found.effects,
        ...(unknown ? { opaque: true } : {}),
      };
    },
  }),
  define({
    names: ['emacs', 'emacsclient', 'xemacs', 'mg', 'jmacs'],
    manual: 'emacs(1): --eval, -l, -f and --script run Emacs Lisp',
    summary: 'edits files, runs Emacs Lisp',
    options:
      'batch, script:, x:, l load:, f funcall:, eval execute:, e:, Q quick, q no-init-file, nw no-window-system, t tty:, L directory:, insert:, u user:, T:, daemon?, c create-frame, a alternate-editor:, s socket-name:, n no-wait, chdir:, kill',
    style: { singleDashLong: true },
    run: (args, invocation) => {
      const client = invocation.name === 'emacsclient';
      const inline = [...args.values('eval'), ...args.values('e'), ...(client && args.has('e') ? args.operands : [])];
      const loaded = args.values('script', 'x', 'l');
      const text = [...inline.map(word), ...loaded.map((path) => textOfStream(contentOf(invocation, path)))].join('\n');
      const lisp = inline.length + loaded.length + args.values('f').length > 0;
      return {
        files: [
          ...reads([...loaded, ...(client && args.has('e') ? [] : args.operands)]),
          ...lispFiles(text, homeOf(invocation)),
        ],
        nested: [
          ...args
            .values('a')
            .filter((value) => value.length > 0)
            .map((value): Nested => ({ kind: 'script', via: 'emacsclient', text: value })),
          ...lispCommands(text),
        ],
        effects: [
          ...(lisp ? [effect('exec-foreign', 'Emacs Lisp', 'an Emacs Lisp program')] : []),
          ...strangeCode(invocation, loaded),
        ],
        ...(lisp ? { opaque: true } : {}),
      };
    },
  }),
  define({
    names: words(
      'nano pico micro joe jed mcedit helix hx kak ne gedit kate kwrite mousepad pluma leafpad xed subl atom mate bbedit notepad notepad++ zed lapce code-server textedit',
    ),
    manual: 'nano(1), micro(1)',
    summary: 'edits files by hand',
    options: 'w wait, n, R restricted, l, B, C:, T:, r:, o:, s:, Y:, Q:, X:, f rcfile:',
    run: (args) => ({ files: [...reads(args.operands), ...drafts('create', args.operands, { certain: false })] }),
  }),
  define({
    names: ['code', 'codium', 'code-insiders', 'vscodium', 'trae', 'kiro'],
    manual: 'code --help: --install-extension installs, --add-mcp registers a server',
    summary: 'opens files in an editor; installs extensions',
    options:
      'd diff, m merge, a add, g goto:, n new-window, r reuse-window, w wait, locale:, user-data-dir:, extensions-dir:, profile:, list-extensions, show-versions, install-extension:, uninstall-extension:, update-extensions, pre-release, force, add-mcp:, folder-uri:, file-uri:, remote:, v version, s status, disable-extension:',
    run: (args, inv) => ({
      files: reads(args.operands.filter((value) => word(value) !== '-')),
      effects: [
        ...strangeCode(
          inv,
          args.values('install-extension').filter((value) => /\.vsix$/.test(word(value))),
        ),
        ...(word(args.operands[0]) === 'tunnel' ? [effect('share-publicly', 'tunnel', 'a way into this machine')] : []),
        ...args
          .values('install-extension')
          .map((value) => effect('install-global', word(value), `the editor extension ${word(value)}`)),
        ...args
          .values('add-mcp')
          .map(() => effect('persistence', 'tool server', 'registers a tool server in the editor')),
      ],
    }),
  }),
  define({
    names: ['less', 'more', 'most', 'pg', 'zless', 'zmore', 'lv', 'moar', 'moor', 'ov'],
    manual: 'less(1): +!COMMAND runs a command',
    summary: 'shows files page by page',
    options:
      'b:, D:, h:, j:, k lesskey-file:, lesskey-src:, o log-file:, O LOG-FILE:, p pattern:, P:, t tag:, T tag-file:, x:, y:, z:, #:, n line-numbers, N, R, S, F, X, i, I, e, E, f, g, G, m, M, q, Q, r, s, u, U, v, V, w, W, a, c, C, d, K, L, J, B, wheel-lines:, rscroll:, color?, tabs:',
    run: (args, invocation) => {
      const plus = args.operands.filter((value) => knownPrefix(value).startsWith('+'));
      const paths = args.operands.filter((value) => !knownPrefix(value).startsWith('+'));
      const nested = plus.flatMap((value): Nested[] => {
        const match = /^\+{1,2}[!|](?:\w )?(.*)$/.exec(word(value));
        return match ? [{ kind: 'script', via: invocation.name, text: known(match[1] as string) }] : [];
      });
      const keys = args.values('k', 'lesskey-src');
      return {
        files: [...reads([...paths, ...keys]), ...drafts('write', args.values('o', 'O'))],
        nested,
        effects: strangeCode(invocation, keys),
      };
    },
  }),
  define({
    names: ['man', 'gman', 'info', 'pinfo', 'perldoc', 'ri', 'pydoc', 'pydoc3'],
    manual: 'man(1), man-db: -P names a pager, -H a browser; both are run by a shell',
    summary: 'shows manual pages',
    options:
      'P pager:, H html?, C config-file:, M manpath:, L locale:, m systems:, S sections s:, e extension:, E encoding:, p preprocessor:, R recode:, T troff-device?, X gxditview?, r prompt:, a all, k apropos, f whatis, l local-file, w where path location, W, K global-apropos, I, i, t troff, u update, c catman, d debug, D default, Z, 7, o output:, subnodes, n node:',
    run: (args, { name }) => {
      const texts = [...args.values('P'), ...args.values('H')].filter((value) => value.length > 0);
      const [first] = args.operands;
      const local = args.has('l') || (first !== undefined && /[/]/.test(word(first)));
      const pagers = name === 'man' || name === 'gman' ? texts : [];
      return {
        files: [...reads(local ? args.operands : []), ...(name === 'info' ? drafts('write', args.values('o')) : [])],
        ...namedPrograms(`${name} -P`, pagers),
      };
    },
  }),
  define({
    names: [
      'xdg-open',
      'open',
      'gnome-open',
      'kde-open',
      'exo-open',
      'wslview',
      'start',
      'explorer',
      'see',
      'run-mailcap',
      'sensible-browser',
      'x-www-browser',
    ],
    manual: 'xdg-open(1), open(1), macOS',
    summary: 'opens files and addresses with the program for them',
    options: 'a:, b:, e, t, f, F, W, R, n, g, j, h, s:, u:, args, env:, hide, stdin:, stdout:, stderr:, new',
    run: (args, inv) => opened(args.operands, inv),
  }),
  define({
    names: ['gio'],
    manual: 'gio(1)',
    summary: 'opens, moves and deletes files',
    options:
      'f force, empty, list, restore:, b backup, T no-target-directory, p progress, i interactive, n no-dereference',
    run: (args, inv) => {
      const [verb, ...paths] = args.operands;
      switch (word(verb)) {
        case 'trash':
        case 'remove':
          return { subcommand: word(verb), files: drafts('delete', paths, { recursive: true, follow: false }) };
        case 'move':
        case 'copy':
        case 'save':
          return { subcommand: word(verb), files: [...reads(paths.slice(0, -1)), ...drafts('write', paths.slice(-1))] };
        case 'mkdir':
          return { subcommand: 'mkdir', files: drafts('create', paths) };
        case 'open':
        case 'launch':
          return { subcommand: word(verb), ...opened(paths, inv) };
        default:
          return { subcommand: word(verb), ...shown(paths) };
      }
    },
  }),
];

/** What is shown: files that are read, addresses that are asked for. */
function shown(targets: readonly Value[]): Pick<Outcome, 'files' | 'dests'> {
  const urls = targets.filter((value) => /^[a-z][a-z0-9+.-]+:\/\//i.test(knownPrefix(value)));
  return {
    files: reads(targets.filter((value) => !urls.includes(value))),
    dests: urls.map((address) => ({ address, sends: 'nothing' as const, method: 'GET' })),
  };
}

/** What the program for it opens: a desktop entry, an application image or a script is started, not shown. */
function opened(targets: readonly Value[], inv: Invocation): Outcome {
  const programs = targets.filter((path) =>
    /\.(?:desktop|appimage|command|workflow|scpt|jar|run)$/i.test(render(path)),
  );
  return { ...shown(targets), effects: strangeCode(inv, programs) };
}

function textOfStream(stream: Stream): string {
  return (stream.value ?? []).map((part) => (typeof part === 'string' ? part : '\ue000')).join('');
}

function lispCommands(text: string): readonly Nested[] {
  const calls = text.matchAll(
    /\((?:async-)?(?:shell-command(?:-to-string)?|call-process-shell-command|start-process-shell-command\s+"[^"]*"\s+\S+|eshell-command|compile)\s+"((?:[^"\\]|\\.)*)"/g,
  );
  const shells = [...calls].map(
    (call): Nested => ({ kind: 'script', via: 'emacs', text: known(unquoted(call[1] as string)), certain: false }),
  );
  const starts = text.matchAll(
    /\((?:call-process|start-process|make-process|process-lines)((?:\s+(?:"(?:[^"\\]|\\.)*"|nil|t|0))+)/g,
  );
  const programs = [...starts].flatMap((call): Nested[] => {
    const argv = [...(call[1] as string).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((part) =>
      known(unquoted(part[1] as string)),
    );
    return argv.length > 0 ? [{ kind: 'argv', via: 'emacs', argv, certain: false }] : [];
  });
  return [...shells, ...programs];
}

function lispFiles(text: string, home: Value): NonNullable<Outcome['files']> {
  // Emacs opens `~/x` itself; in the argument of --eval no shell did.
  const path = (name: string): Value => (/^~(?=\/|$)/.test(name) ? [...home, ...known(name.slice(1))] : known(name));
  const deletes = [...text.matchAll(/\((delete-file|delete-directory|move-file-to-trash)\s+"([^"]*)"/g)];
  const writes = [
    ...text.matchAll(
      /\((?:write-file|write-region\s+\S+\s+\S+|append-to-file\s+\S+\s+\S+|set-visited-file-name)\s+"([^"]*)"/g,
    ),
  ];
  const visited = [
    ...text.matchAll(/\((insert-file-contents(?:-literally)?|find-file(?:-noselect)?|load(?:-file)?)\s+"([^"]*)"/g),
  ];
  return [
    ...visited.map((call) =>
      draft(call[1]?.startsWith('load') ? 'exec' : 'read', path(call[2] as string), { certain: false }),
    ),
    ...deletes.flatMap((call) =>
      drafts('delete', [path(call[2] as string)], { recursive: call[1] === 'delete-directory', certain: false }),
    ),
    ...drafts(
      'write',
      writes.map((call) => path(call[1] as string)),
      { certain: false },
    ),
  ];
}

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
