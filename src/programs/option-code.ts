import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, reads } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import { namedPrograms, strangeCode } from './named-programs.ts';
import type { OptionLines, Parsed } from './options.ts';
import { discardedByHg, discardedBySvn } from './other-vcs.ts';

/** A program that runs nothing but what some of its options hold. */
interface Row {
  readonly names: string;
  readonly manual: string;
  readonly summary: string;
  readonly options: OptionLines;
  readonly singleDashLong?: boolean;
  /** Options whose value is shell text or names a program. */
  readonly shell?: readonly string[];
  /** Options whose value is text of a language, and the program that runs it. */
  readonly code?: readonly (readonly [option: string, argv: readonly string[]])[];
  /** Options that name a file of code or settings that run some. */
  readonly loads?: readonly string[];
  readonly writes?: readonly string[];
  /** Operands are read, or are a program by themselves. */
  readonly operands?: 'read' | 'program' | 'load';
  readonly more?: (args: Parsed, name: string, inv: Invocation) => Pick<Outcome, 'nested' | 'effects' | 'files'>;
}

const ROWS: readonly Row[] = [
  {
    names: 'fzf sk skim fzf-tmux',
    manual: 'fzf(1): --preview and the actions execute, become, reload, transform run in a shell',
    summary: 'chooses lines',
    options:
      'preview:, bind:, q query:, f filter:, m multi?, height:, layout:, border?, prompt:, header:, ansi, c cmd:, i, e exact, 1, 0, n nth:, d delimiter:, print0, read0, tac, no-sort, preview-window:, with-shell:, history:, x, reverse, cycle, color:, expect:',
    shell: ['preview', 'cmd', 'with-shell'],
    writes: ['history'],
    more: (args) => ({
      nested: args.values('bind').flatMap((bind) => actions(render(bind))),
    }),
  },
  {
    names: 'delta',
    manual: 'delta --help: --pager is run by a shell',
    summary: 'shows differences',
    options: 'pager:, paging:, features:, width:, file-style:, s side-by-side, n line-numbers, config:, theme:',
    shell: ['pager'],
    operands: 'read',
  },
  {
    names: 'dialog',
    manual: 'dialog(1): --prgbox shows the output of a shell command',
    summary: 'asks people something',
    options: 'title:, backtitle:, output-fd:, prgbox, clear',
    more: (args) => ({
      nested: (args.has('prgbox') ? args.operands.slice(0, 2) : []).map(
        (text): Nested => ({ kind: 'script', via: 'dialog', text }),
      ),
    }),
  },
  {
    names: 'feh nsxiv sxiv',
    manual: 'feh(1): -A runs an action',
    summary: 'shows pictures',
    options: 'A action:, action1:, action2:, info:, F, g:, bg-fill:, bg-scale:, r, R:, D:',
    shell: ['action', 'action1', 'action2', 'info'],
    operands: 'read',
  },
  {
    names: 'ranger vifm lf nnn yazi',
    manual: 'ranger(1), vifm(1): commands of the file manager, shell commands among them',
    summary: 'manages files',
    options: 'cmd:, c:, command:, choosefile:, choosedir:, selectfile:, r:, config:',
    writes: ['choosefile', 'choosedir'],
    more: (args) => ({
      nested: args.values('cmd', 'c', 'command').flatMap((value): Nested[] => {
        const text = /^:?\s*(?:shell\s+(?:-\w+\s+)?|!+)(.+)$/s.exec(render(value))?.[1];
        return text ? [{ kind: 'script', via: 'a file manager', text: known(text) }] : [];
      }),
    }),
  },
  {
    names: 'blender',
    manual: 'blender --help: --python-expr, --python',
    summary: 'makes pictures',
    options: 'b background, python-expr:, P python:, o render-output:, a, f:, E:, y, x:, F:, python-exit-code:',
    code: [['python-expr', ['python3', '-c']]],
    loads: ['python'],
    writes: ['render-output'],
  },
  {
    names: 'gimp gimp-console',
    manual: 'gimp(1): -b runs a batch command in an interpreter',
    summary: 'edits pictures',
    options: 'i no-interface, b batch:, batch-interpreter:, d, f, s, n',
    more: (args) => ({
      nested: args
        .values('batch')
        .filter((text) => /\bimport\b|\bos\.|open\(/.test(render(text)))
        .map((text): Nested => ({ kind: 'argv', via: 'gimp', argv: [['python3'], ['-c'], text] })),
    }),
  },
  {
    names: 'msgfilter msgexec',
    manual: 'msgfilter(1), msgexec(1), gettext: the operands are a program',
    summary: 'runs a program on each message',
    options: 'i input:, o output-file:, D directory:, keep-header',
    writes: ['output-file'],
    operands: 'program',
  },
  {
    names: 'tex latex luatex xetex pdftex pdflatex xelatex lualatex lualatex-dev platex uplatex',
    manual: 'tex(1): \\write18 runs a shell command with -shell-escape',
    summary: 'sets documents',
    options:
      'shell-escape, enable-write18, no-shell-escape, shell-restricted, interaction:, output-directory:, aux-directory:, output-format:, jobname:, ini, fmt:, halt-on-error, file-line-error, synctex:, draftmode, recorder, version, help',
    singleDashLong: true,
    writes: ['output-directory'],
    operands: 'read',
    more: (args, _name, inv) =>
      args.has('shell-escape', 'enable-write18')
        ? { nested: writes18(args.operands), effects: strangeCode(inv, args.operands.filter(isFile)) }
        : {},
  },
  {
    names: 'hg chg',
    manual: 'hg(1): --config sets hooks, aliases, editors',
    summary: 'version control',
    options:
      'config:, R repository:, cwd:, y, v, q, e ssh:, remotecmd:, m:, u:, r rev:, C clean, a all, p print, f force, n dry-run, I include:, X exclude:',
    shell: ['ssh'],
    more: (args) => {
      const set = setting(
        args.values('config'),
        'hg',
        /^(?:hooks\.|alias\.[^=]*=!|ui\.(?:editor|ssh|pager|merge)|extdiff\.|merge-tools\.|extensions\.)/,
      );
      return { ...set, effects: [...(set.effects ?? []), ...discardedByHg(args)] };
    },
  },
  {
    names: 'svn svnadmin svnlook',
    manual: 'svn(1): --editor-cmd, --diff-cmd, --diff3-cmd, --config-option run programs',
    summary: 'version control',
    options:
      'editor-cmd:, diff-cmd:, diff3-cmd:, merge-tool:, config-option:, config-dir:, m:, r:, username:, password:, q, F:, R recursive, depth:, remove-unversioned, remove-ignored',
    shell: ['editor-cmd', 'diff-cmd', 'diff3-cmd'],
    more: (args) => {
      const set = setting(args.values('config-option'), 'svn', /:(?:tunnels|helpers):/);
      return { ...set, effects: [...(set.effects ?? []), ...discardedBySvn(args)] };
    },
  },
  {
    names: 'jj',
    manual: 'jj --config',
    summary: 'version control',
    options: 'config:, config-toml:, config-file:, R repository:, m:, r:, T:',
    loads: ['config-file'],
    more: (args) =>
      setting(
        args.values('config', 'config-toml'),
        'jj',
        /^(?:ui\.(?:pager|editor|diff|merge)|merge-tools\.|fix\.|aliases\.)/,
      ),
  },
  {
    names: 'scrot maim certbot enscript csvtool check_by_ssh cobc genie cdist',
    manual: 'scrot(1), certbot(1), enscript(1): options that name a command',
    summary: 'does its work, and runs a command that an option names',
    options:
      'c command:, e exec:, s:, I filter:, pre-hook:, post-hook:, deploy-hook:, renew-hook:, manual-auth-hook:, manual-cleanup-hook:, o output:, q:, n, y, v, t title:, i:, d:, w:, p:',
    shell: ['pre-hook', 'post-hook', 'deploy-hook', 'renew-hook', 'manual-auth-hook', 'manual-cleanup-hook'],
    more: (args, name) => {
      const texts =
        name === 'scrot' || name === 'maim'
          ? args.values('e')
          : name === 'enscript'
            ? args.values('I')
            : name === 'cdist'
              ? args.values('s')
              : name === 'csvtool'
                ? args.operands.slice(1, 2)
                : name === 'genie'
                  ? args.values('c')
                  : [];
      return {
        nested: texts.map((text): Nested => ({ kind: 'script', via: name, text })),
      };
    },
  },
  {
    names: 'slsh jrunscript jjs',
    manual: 'slsh(1), jrunscript(1): program text in an argument',
    summary: 'runs program text',
    options: 'e eval:, u url:, batch, q, n',
    more: (args, name) => {
      return foreignCode(args.values('eval'), name);
    },
  },
  {
    names: 'cowsay cowthink facter gtester easy_install',
    manual: 'cowsay(1): -f names a file of Perl; facter(8)',
    summary: 'does its work with code from a file or directory',
    options: 'f:, custom-dir:, external-dir:, config:, regex:, a arg:, e, d, n, W:, test, list, report, l, v, q:',
    loads: ['f', 'custom-dir', 'external-dir', 'config'],
    more: (args, name, inv) =>
      /^(?:easy_install|gtester)$/.test(name) && !args.has('test', 'list')
        ? {
            effects: strangeCode(
              inv,
              args.operands.filter((path) => /^[./~]/.test(render(path))),
            ),
          }
        : {},
  },
  {
    names: 'logrotate',
    manual: 'logrotate(8): the configuration holds scripts',
    summary: 'rotates log files',
    options: 'f force, d debug, s state:, v verbose, l log:, m mail:',
    writes: ['state', 'log'],
    operands: 'load',
  },
  {
    names: 'ctags',
    manual: 'ctags(1): --options names a file of options',
    summary: 'lists definitions',
    options: 'options:, f:, o:, R recurse, e, L:, a append, x, languages:, exclude:, fields:, extras:',
    loads: ['options'],
    writes: ['f', 'o'],
    operands: 'read',
  },
  {
    names: 'qrencode',
    manual: 'qrencode(1)',
    summary: 'draws text as a code',
    options:
      'r read-from:, o output:, t type:, s:, l:, textbox:, tailbox:, text-info, filename:, output-fd:, title:, backtitle:',
    writes: ['output'],
    more: () => ({}),
  },
];

/** Programs whose options hold commands or code. */
export const optionCode: readonly Program[] = ROWS.map((row) =>
  define({
    names: words(row.names),
    manual: row.manual,
    summary: row.summary,
    options: row.options,
    style: { singleDashLong: row.singleDashLong ?? false, stopAtOperand: row.operands === 'program' },
    run: (args, inv) => {
      const texts = (row.shell ?? []).flatMap((option) => args.values(option));
      const named = namedPrograms(inv.name, texts);
      const more = row.more?.(args, inv.name, inv) ?? {};
      const nested: Nested[] = [...(named.nested ?? []), ...(more.nested ?? [])];
      for (const [option, argv] of row.code ?? [])
        for (const text of args.values(option))
          nested.push({ kind: 'argv', via: inv.name, argv: [...argv.map(known), text] });
      if (row.operands === 'program' && args.operands.length > 0)
        nested.push({ kind: 'argv', via: inv.name, argv: args.operands });
      const loaded = [
        ...(row.loads ?? []).flatMap((option) => args.values(option)),
        ...(row.operands === 'load' ? args.operands : []),
      ];
      const files: FileDraft[] = [
        ...(row.operands === 'read' ? reads(args.operands.filter(isFile)) : []),
        ...reads(args.values('read-from', 'textbox', 'tailbox', 'filename')),
        ...drafts('exec', loaded),
        ...(more.files ?? []),
        ...drafts(
          'write',
          (row.writes ?? []).flatMap((option) => args.values(option)),
        ),
      ];
      const effects: EffectDraft[] = [...(named.effects ?? []), ...strangeCode(inv, loaded), ...(more.effects ?? [])];
      return { files, nested, effects };
    },
  }),
);

/** `start:execute(cmd)`, `ctrl-x:become:cmd`: the commands of a key table of fzf. */
function actions(bind: string): readonly Nested[] {
  const found = bind.matchAll(
    /\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform(?:-\w+)?|preview)(?:\(((?:[^()]|\([^()]*\))*)\)|\[([^\]]*)\]|:(.*)$)/g,
  );
  return [...found].map((match): Nested => {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    return { kind: 'script', via: 'fzf', text: known(text) };
  });
}

/** TeX takes text that starts with a backslash for input, not for a file. */
function isFile(operand: Value): boolean {
  return !/^\\|\s/.test(render(operand));
}

function writes18(operands: readonly Value[]): readonly Nested[] {
  return operands.flatMap((text) =>
    [...render(text).matchAll(/\\write18\s*\{([^}]*)\}/g)].map(
      (match): Nested => ({ kind: 'script', via: 'tex', text: known(match[1] as string) }),
    ),
  );
}

/** Settings given on the command line that make a version control program run others. */
function setting(values: readonly Value[], via: string, runs: RegExp): Pick<Outcome, 'nested' | 'effects'> {
  const hits = values.filter((value) => runs.test(render(value)));
  return {
    effects: hits.map((value) => ({ kind: 'vcs-config', target: via, detail: render(value) })),
    nested: hits.map((value): Nested => {
      const text = render(value).replace(/^[^=]*=\s*!?/, '');
      return { kind: 'script', via, text: known(text) };
    }),
  };
}
