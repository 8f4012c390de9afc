/**
 * The rule language's environment `cel/1`: types with their fields, global names, functions. One table from which
 * the type checker and the reference in the guide are made.
 */
export interface FieldDoc {
  readonly type: string;
  readonly doc: string;
}

const f = (type: string, doc: string): FieldDoc => ({ type, doc });

/** Types of facts. A field that may be unknown says so: a condition that needs it then counts as dynamic. */
export const TYPES: Readonly<
  Record<string, { readonly doc: string; readonly fields: Readonly<Record<string, FieldDoc>> }>
> = {
  Event: {
    doc: 'the event that asks for a decision',
    fields: {
      name: f('string', 'PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, SessionStart …'),
      agent: f('string', 'claude-code, codex, gemini-cli …'),
      agent_version: f('string', "the agent's version; may be unknown"),
      depth: f('int', '0 for the main agent, more for subagents'),
      subagent: f('bool', 'asked by a subagent'),
      session: f('string', "the agent's session id"),
      cwd: f('string', 'directory in which the call runs'),
      workspace: f('string', 'root of the repository or project'),
      home: f('string', 'home directory'),
      user: f('string', 'user name'),
      permission_mode: f('string', "the agent's own mode, e.g. default, plan, bypassPermissions"),
      interactive: f('bool', 'a person can answer questions'),
      call_digest: f('string', 'the same for two calls with the same tool and input'),
    },
  },
  Tool: {
    doc: 'the tool that is called',
    fields: {
      name: f('string', 'shell, read, write, edit, search, fetch, mcp, task, other'),
      raw: f('string', "the agent's own name, e.g. Bash"),
      mcp_server: f('string', "server of an MCP tool, '' otherwise"),
      mcp_tool: f('string', "tool of an MCP server, '' otherwise"),
      input: f('map<string, dyn>', 'the raw input'),
    },
  },
  Command: {
    doc: 'one simple command that the shell would run, wrappers followed',
    fields: {
      name: f('string', 'base name of the program; may be unknown'),
      argv: f('list<string>', 'all words; each may be unknown'),
      subcommand: f('string', "`push` of `git push`; '' if there is none"),
      flags: f('list<string>', 'options that were given, without dashes, short and long names both where gov knows the program'),
      operands: f('list<string>', 'arguments that are not options; each may be unknown. Of a program that gov does not know also the values of its options'),
      targets: f('list<File>', 'files it touches'),
      dests: f('list<Dest>', 'hosts it talks to'),
      effects: f('list<Effect>', 'what else it does'),
      via: f('list<string>', 'wrappers that run it: sudo, xargs, bash -c, ssh …'),
      pipeline: f('list<string>', "names of the pipeline's programs; empty outside a pipeline"),
      pipeline_index: f('int', 'its place in the pipeline'),
      redirects: f('list<string>', 'redirections as written'),
      env: f('map<string, string>', 'variables set for this command'),
      cwd: f('string', 'directory it runs in; may be unknown'),
      dynamic: f('bool', 'some word is only known when it runs'),
      unknown_words: f('list<string>', 'why, one for each such word'),
      opaque: f('bool', 'runs code that was not understood'),
      certain: f('bool', 'false: on a path that may not be taken, or found by a scan'),
      privileged: f('bool', 'runs as another user (sudo, doas, su)'),
      elsewhere: f('string', "'' here, `remote` or `container`"),
      sends_data: f('bool', 'sends data off this machine'),
      text: f('string', 'as written'),
      id: f('int', 'place in `commands`'),
      parent: f('int', 'place of the command that runs it, or -1'),
    },
  },
  File: {
    doc: 'one file or tree that a command or a tool touches',
    fields: {
      op: f('string', 'read, list, write, create, delete, move, chmod, exec, link'),
      path: f('string', 'as written, for messages: conditions use `real`, `matchesAny`, `touches`, which resolve it'),
      real: f('string', 'absolute, symbolic links resolved; may be unknown'),
      zone: f('string', 'workspace, temp, home, system, device, secret, guard, vcs, outside; may be unknown'),
      in_workspace: f('bool', 'inside the workspace, whatever the zone; may be unknown'),
      exists: f('bool', 'may be unknown'),
      is_dir: f('bool', 'may be unknown'),
      tracked: f('bool', 'in git; may be unknown'),
      reversible: f('string', 'tracked, derived, scratch, no, unknown'),
      recursive: f('bool', 'the whole tree'),
      force: f('bool', 'without questions'),
      contents_only: f('bool', 'what lies in the directory, not the directory'),
      partial: f('bool', 'only some of what lies below'),
      glob: f('bool', 'the path is a pattern'),
      secret: f('bool', 'keys, credentials, dotenv files; may be unknown'),
      role: f('string', 'what the file is for where gov knows it: hook, ci, lockfile …'),
      added: f('int', 'lines added'),
      removed: f('int', 'lines removed'),
      content: f('string', "text to be written if known, else ''"),
      mode: f('string', 'for chmod: `+x`, `777` …'),
      via: f('list<string>', "program and wrappers, or the tool's name"),
      to: f('string', 'the other end of a move or link; may be unknown; absent otherwise: `has(file.to)`'),
      reason: f('string', "why `real` is unknown; '' otherwise"),
      certain: f('bool', 'false: only guessed at'),
      command: f('int', 'place of its command in `commands`, or -1'),
    },
  },
  Dest: {
    doc: 'one place data goes to or comes from',
    fields: {
      host: f('string', 'lower case; may be unknown'),
      port: f('int', '0 if not given'),
      scheme: f('string', 'https, ssh, git, tcp …'),
      url: f('string', 'as far as known'),
      loopback: f('bool', 'this machine; may be unknown'),
      metadata: f('bool', 'a cloud metadata service'),
      sends: f('string', 'nothing, text, file, secret'),
      method: f('string', "HTTP method or the protocol's verb"),
      certain: f('bool', 'false: only guessed at'),
      command: f('int', 'place of its command, or -1'),
    },
  },
  Effect: {
    doc: 'an effect that is neither a file nor a destination; what could not be parsed is one of kind `unparsed`',
    fields: {
      kind: f('string', 'vcs-push, db-drop, infra-destroy, publish, install, privilege, exec-remote, unknown …'),
      target: f('string', 'a branch, a table, a package, a variable'),
      detail: f('string', 'a short phrase for people'),
      force: f('bool', ''),
      recursive: f('bool', ''),
      certain: f('bool', 'false: only guessed at'),
      command: f('int', 'place of its command, or -1'),
    },
  },
  Unknown: {
    doc: 'a part of the call that could not be analysed',
    fields: { reason: f('string', 'why'), text: f('string', 'which text') },
  },
  Result: {
    doc: 'what a tool returned; empty before the call',
    fields: {
      text: f('string', 'its output'),
      exit_code: f('int', 'may be unknown'),
      failed: f('bool', ''),
      interrupted: f('bool', ''),
      duration_ms: f('int', 'may be unknown'),
    },
  },
  Session: {
    doc: 'what happened in this session before this call; unknown where there is no session (`gov check`)',
    fields: {
      calls: f('int', 'calls that were decided on'),
      denies: f('int', 'calls that were refused'),
      failures: f('int', 'calls that were made and failed'),
      files_changed: f('int', 'different files that calls which were let pass change, without temporary ones'),
      lines_changed: f('int', 'lines that these calls add and remove'),
      age_seconds: f('int', 'seconds since the first record of the session'),
      labels: f('list<string>', '`rule/step` of each step of a sequence that was seen in the session'),
    },
  },
  Git: {
    doc: "the workspace's repository; each may be unknown",
    fields: { branch: f('string', ''), remote: f('string', ''), dirty: f('bool', '') },
  },
  Secret: { doc: 'a secret found in a text', fields: { kind: f('string', 'aws-access-key, private-key …') } },
};

/** Names that every expression sees. */
export const GLOBALS: Readonly<Record<string, FieldDoc>> = {
  event: f('Event', 'the event'),
  tool: f('Tool', 'the tool'),
  commands: f('list<Command>', 'all commands of a shell call'),
  files: f('list<File>', 'all files of all commands and of the tool'),
  dests: f('list<Dest>', 'all destinations'),
  effects: f('list<Effect>', 'all other effects'),
  unknowns: f('list<Unknown>', 'what could not be analysed'),
  result: f('Result', 'what the tool returned (PostToolUse)'),
  session: f('Session', 'the session so far'),
  git: f('Git', 'the repository'),
  now: f('google.protobuf.Timestamp', 'the time of the decision'),
};

/** What the item of `each` is called and is. */
export const ITEMS = { command: 'Command', file: 'File', dest: 'Dest', effect: 'Effect' } as const;

export interface FunctionDoc {
  /** Signatures as cel-js reads them. */
  readonly signatures: readonly string[];
  readonly doc: string;
  readonly example: string;
}

const some = (make: (n: number) => string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => make(i + from));
const strings = (n: number): string => Array.from({ length: n }, () => 'string').join(', ');

/** Functions beyond standard CEL. */
export const FUNCTIONS: Readonly<Record<string, FunctionDoc>> = {
  hasFlag: {
    signatures: some((n) => `Command.hasFlag(${strings(n)}): bool`, 1, 12),
    doc: 'one of the options was given; short and long names count as the same option where the program is known',
    example: 'command.hasFlag("f", "force")',
  },
  does: {
    signatures: some((n) => `Command.does(${strings(n)}): bool`, 1, 12),
    doc: 'the command has an effect of that kind; globs allowed; unknown if it was only guessed',
    example: 'command.does("vcs-*", "publish")',
  },
  runs: {
    signatures: ['Command.runs(string): bool'],
    doc: 'the command is run by that wrapper (one of `via`)',
    example: 'command.runs("sudo")',
  },
  matchesAny: {
    signatures: ['string.matchesAny(list<string>): bool', 'File.matchesAny(list<string>): bool'],
    doc: 'the text (or the real path) matches one of the globs: `*` `?` `[a-z]` within a component, `**` over components, `{a,b}`, leading `~`; `dir/**` is what lies in it, not `dir`',
    example: 'file.matchesAny(lists.secret_paths)',
  },
  touches: {
    signatures: ['File.touches(list<string>): bool'],
    doc: 'the path matches, or is the protected directory, or is a directory above that is about to be deleted or moved',
    example: 'file.touches(lists.gov_paths)',
  },
  under: {
    signatures: ['string.under(string): bool', 'File.under(string): bool'],
    doc: 'the path is that directory or lies in it; leading `~` allowed',
    example: 'file.under("/etc")',
  },
  inDomain: {
    signatures: [
      'string.inDomain(string): bool',
      'string.inDomain(list<string>): bool',
      'Dest.inDomain(string): bool',
      'Dest.inDomain(list<string>): bool',
    ],
    doc: 'the host is that domain or below it; `*.x` is only below',
    example: 'dest.inDomain(["github.com", "*.npmjs.org"])',
  },
  re: {
    signatures: ['string.re(string): bool', 're(string, string): bool'],
    doc: 'the regular expression (RE2) matches somewhere; linear time; `.matches()` is the same',
    example: 'command.text.re("(?i)drop\\\\s+table")',
  },
  replace: {
    signatures: ['string.replace(string, string): string'],
    doc: 'every occurrence replaced',
    example: 'command.text.replace("--force ", "--force-with-lease ")',
  },
  sum: {
    signatures: ['list<int>.sum(): int', 'list<double>.sum(): double'],
    doc: 'the sum; 0 for an empty list',
    example: 'files.map(f, f.added).sum() > 400',
  },
  known: {
    signatures: ['known(dyn): bool'],
    doc: 'false if the value is unknown; then nothing is dynamic any more',
    example: 'known(file.real) && file.real == "/etc/passwd"',
  },
  secrets: {
    signatures: ['secrets(string): list<Secret>'],
    doc: 'secrets found in a text',
    example: 'secrets(result.text).size() > 0',
  },
  evidence: {
    signatures: ['evidence(string, string): bool'],
    doc: 'was established before and still holds; the kind is one that a Library declares under `evidence`; unknown without records (`gov check`) and where the agent never tells how calls end',
    example: 'evidence("read", file.real)',
  },
  succeeded: {
    signatures: ['succeeded(Command): bool'],
    doc: 'the command ended well (after the call); unknown where the exit code of the call does not tell: `npm test | tail`, `npm test; ls`, in the background',
    example: 'command.name == "pytest" && succeeded(command)',
  },
};

/** Standard CEL that is part of `cel/1`: macros of the language and functions. Bytes, uint and `type()` are not. */
export const STANDARD_METHODS: readonly string[] = [
  'contains',
  'startsWith',
  'endsWith',
  'indexOf',
  'lastIndexOf',
  'substring',
  'lowerAscii',
  'upperAscii',
  'trim',
  'split',
  'join',
  'size',
  'matches',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];
export const STANDARD_FUNCTIONS: readonly string[] = [
  'size',
  'string',
  'int',
  'double',
  'bool',
  'dyn',
  'timestamp',
  'duration',
  'has',
];
export const LOOPS: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'map'];
