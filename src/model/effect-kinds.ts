/**
 * Every kind of effect that is neither a file nor a destination, with what its `target` names. Rules match on these
 * words; a new kind goes here first. Effects describe, rules judge.
 */
export const EFFECT_KINDS = {
  // git and other version control
  'vcs-reset-hard': 'reset that throws uncommitted work away: the commit',
  'vcs-discard': 'checkout/restore/switch that throws uncommitted work away: the path or branch',
  'vcs-clean': 'deletes untracked files: the path',
  'vcs-change': 'changes the index, the work tree or the refs of a repository: the subcommand',
  'vcs-commit': 'a commit: the branch',
  'vcs-push': 'push: remote and refspec',
  'vcs-force-push': 'push that overwrites without a lease: remote and refspec',
  'vcs-delete-remote': 'deletes a branch or tag of a remote: its name',
  'vcs-delete-branch': 'deletes a local branch (`force`: even if unmerged): its name',
  'vcs-rewrite': 'rewrites or purges history, stashes or refs: what',
  'vcs-worktree-remove': 'removes a work tree (`force`: with changes): its path',
  'vcs-config': 'a setting that runs a program, sends work elsewhere or switches hooks off: its key',
  'vcs-no-verify': 'skips hooks: the subcommand',
  'vcs-remote': 'adds or changes a remote: its address',
  // databases
  'db-read': 'a reading statement: the object',
  'db-write': 'insert, update, create, alter, migrate: the object',
  'db-delete': 'deletes rows or keys: the object',
  'db-drop': 'drops, truncates, resets: the object',
  // infrastructure and shared resources
  'infra-read': 'looks at shared resources: the resource',
  'infra-apply': 'creates or changes shared resources: the resource',
  'infra-destroy': 'destroys shared resources or local volumes with data: the resource',
  'container-host':
    'a container that gets the host (privileged, host namespaces, a mount of / or the engine socket): the option',
  publish: 'publishes a package, image or release: its name',
  unpublish: 'takes a published thing back: its name',
  'share-publicly': 'a gist, paste or public tunnel: its address or file',
  'elsewhere-change': 'changes a file of another machine or of a container: its path',
  'server-change': 'a tool of a tool server that changes something, as far as its name tells: its name',
  'remote-comment': 'ordinary outward work (pull request, issue, comment): what',
  // installing
  install: 'installs the dependencies of the project, or a named package of a registry: its name',
  'install-global': 'installs for the whole user account: its name',
  'install-remote': 'installs from an address or another index: the address',
  'install-system': 'installs or removes packages of the operating system: their names',
  // running code
  'exec-remote': 'runs code from the network: where it came from',
  'exec-decoded': 'runs the output of a decoder: the decoder',
  'exec-unknown': 'runs code that is put together at run time and is not known: the program',
  'exec-foreign': 'runs program text of another language that was scanned, not understood: the language',
  'env-inject': 'a variable that makes a program load or run code: its name',
  agent: 'starts another agent with its checks off or other settings: its name',
  // the machine
  privilege: 'runs as another user: the user and program',
  'process-kill': 'signals processes by id: the id (`-1`: all)',
  'process-kill-name': 'signals processes by name or pattern: the pattern',
  service: 'starts, stops, enables services: the unit',
  power: 'shuts down, reboots, suspends: the verb',
  account: 'changes users, groups, passwords: the account',
  firewall: 'changes packet filters: the program',
  kernel: 'modules, sysctl, tracing of others: what',
  mount: 'mounts, unmounts, swap: what',
  disk: 'formats or partitions a disk: the device',
  listen: 'opens a port: the port',
  persistence: 'leaves something that runs later: the job',
  'secret-read': 'prints a secret that is not a file: its name',
  clipboard: 'reads or writes the clipboard: the program',
  // gov's own
  disarm: 'switches the hooks off: the settings file',
  'malformed-input': 'the tool input is not of the expected shape: the field',
  unparsed: 'shell text that could not be parsed: the text',
  confusable: 'characters that look like others or like nothing: the word',
  'bound-reached': 'the analysis stopped at a bound: the bound',
  unknown: 'a program without a model: its name',
} as const;

export type EffectKind = keyof typeof EFFECT_KINDS;

/** What a file is to the machine, where that matters more than its zone. */
export const FILE_ROLES = {
  gov: "gov's own configuration, store, launchers or program",
  'hook-settings': "an agent's settings file in which hooks are (or could be) registered and that its agent reads here",
  'hook-program': 'a program that a registered hook runs',
  'agent-settings': "another agent's settings, tool servers, permissions, rules",
  'agent-memory': 'instructions an agent always reads, outside the workspace',
  'git-hook': 'a git hook, wherever core.hooksPath points',
  'git-config': 'git configuration or attributes that can name programs',
  'shell-startup': 'read by every new shell',
  'ssh-config': 'ssh client or server configuration',
  'authorized-keys': 'who may log in',
  autostart: 'started at log-in or boot',
  crontab: 'a table of timed jobs',
  ci: 'a pipeline definition',
  'task-runner': "an editor's tasks or launch file",
  envrc: 'run on entering the directory',
  devcontainer: 'container definition with start commands',
  'package-scripts':
    'a package manifest that gains install-time scripts, or settings that gain a strange package source or program',
  'tool-config': "a tool's per-user settings",
  'tool-state': "a tool's per-user cache or state",
  '': 'nothing special',
} as const;

export type FileRole = keyof typeof FILE_ROLES;
