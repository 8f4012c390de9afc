import type { FileRole } from '../model/effect-kinds.ts';
import { isUnder, nameOf, startsWithAny } from './paths.ts';
import { belowHome, type Places } from './places.ts';

/** An editor's settings: their content tells whether they steer an agent. */
export const EDITOR = 'editor';

/** A role, or one that only the content decides. */
export type Role = FileRole | typeof EDITOR;

type ByRest = readonly (readonly [RegExp, Role])[];

// What tells any agent what to do: the files right in its directory, and these directories. Scripts and notes that a
// team keeps beside them do not, nor do the project's own notes to agents (CLAUDE.md).
const INSTRUCTS =
  /^(?:rules|commands|agents?|skills|prompts|modes?|droids|output-styles|workflows|agent-memory|shell-snapshots|projects|sessions|mcp|permissions)(?:\/|$)|^[^/]+\.(?!mdx?$)\w+$/;

// What lies in an agent's own directory, wherever that directory is. First match wins; `rest` is what follows it.
// Sources: the agents' documentation of hook and settings files.
const AGENT_DIRS: ReadonlyMap<string, ByRest> = new Map<string, ByRest>([
  [
    '.claude',
    [
      [/^worktrees\/[^/]+\//, ''],
      [/^hooks\/./, 'hook-program'],
      [/^(?:$|settings(?:\.[\w-]+)?\.json$|managed-settings|hooks$|plugins(?:\/|$))/, 'hook-settings'],
      [/^(?:worktrees|plans|todos|tasks|memory|logs?|tmp|cache|scratch|projects\/[^/]+\/memory)(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.codex',
    [
      [/^(?:$|config\.toml$|hooks\.json$|hooks(?:\/|$)|rules(?:\/|$)|plugins(?:\/|$)|managed)/, 'hook-settings'],
      [/^(?:log|tmp|memories)(?:[./]|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.gemini',
    [
      [
        /^(?:$|settings\.json$|hooks(?:\/|$)|extensions(?:\/|$)|policies(?:\/|$)|trustedfolders\.json$)/,
        'hook-settings',
      ],
      [/^tmp(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.qwen',
    [
      [/^(?:$|settings\.json$|hooks(?:\/|$)|extensions(?:\/|$)|trustedfolders\.json$)/, 'hook-settings'],
      [/^(?:tmp|todos|projects)(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.cursor',
    [
      [/^(?:$|hooks\.json$|hooks(?:\/|$))/, 'hook-settings'],
      [/^(?:plans|worktrees)(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.factory',
    [
      [/^(?:$|hooks\.json$|settings(?:\.local)?\.json$|hooks(?:\/|$))/, 'hook-settings'],
      [/^(?:sessions|logs)(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.opencode',
    [
      [/^(?:$|plugins?(?:\/|$)|opencode\.jsonc?$)/, 'hook-settings'],
      [/^(?:plans|node_modules)(?:\/|$)/, 'tool-state'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.copilot',
    [
      [/^(?:$|hooks(?:\/|$)|(?:settings|config)\.json$)/, 'hook-settings'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  ['.clinerules', [[/^hooks(?:\/|$)/, 'hook-settings']]],
  [
    '.cline',
    [
      [/^(?:$|hooks(?:\/|$))/, 'hook-settings'],
      [INSTRUCTS, 'agent-settings'],
    ],
  ],
  [
    '.kiro',
    [
      [/^(?:$|hooks(?:\/|$)|agents(?:\/|$))/, 'hook-settings'],
      [/^settings(?:\/|$)/, 'agent-settings'],
    ],
  ],
  [
    '.windsurf',
    [
      [/^(?:$|hooks\.json$|hooks(?:\/|$))/, 'hook-settings'],
      [/^mcp/, 'agent-settings'],
    ],
  ],
  ['.devin', [[/^(?:$|hooks\.v1\.json$|config(?:\.local)?\.json$|hooks(?:\/|$))/, 'hook-settings']]],
  ['.amp', [[/^(?:$|settings\.jsonc?$|plugins(?:\/|$))/, 'hook-settings']]],
  ['.roo', [[/^mcp\.json$/, 'agent-settings']]],
  ['.continue', [[/^(?:config|mcp|permissions)/, 'agent-settings']]],
  [
    '.github',
    [
      [/^hooks\/[^/]+\.json$/, 'hook-settings'],
      [/^copilot\/settings(?:\.local)?\.json$/, 'hook-settings'],
      [/^(?:workflows|actions)(?:\/|$)/, 'ci'],
    ],
  ],
  [
    '.vscode',
    [
      [/^settings\.json$/, EDITOR],
      [/^mcp\.json$/, 'agent-settings'],
      [/^tasks\.json$/, 'task-runner'],
    ],
  ],
  ['.devcontainer', [[/(?:^|\/)devcontainer\.json$/, 'devcontainer']]],
  ['.gov', [[/^/, 'gov']]],
  ['.husky', [[/^(?!_\/)[^/]*$|^_\/husky\.sh$/, 'git-hook']]],
  ['.githooks', [[/./, 'git-hook']]],
  ['.idea', [[/^runconfigurations\//, 'task-runner']]],
  ['.run', [[/\.run\.xml$/, 'task-runner']]],
  [
    '.zed',
    [
      [/^tasks\.json$/, 'task-runner'],
      [/^settings\.json$/, EDITOR],
    ],
  ],
  ['.circleci', [[/./, 'ci']]],
  ['.buildkite', [[/./, 'ci']]],
]);

const BY_NAME: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['.mcp.json', 'agent-settings'],
  ['opencode.json', 'hook-settings'],
  ['opencode.jsonc', 'hook-settings'],
  ['.aider.conf.yml', 'agent-settings'],
  ['.envrc', 'envrc'],
  ['.devcontainer.json', 'devcontainer'],
  ['.gitlab-ci.yml', 'ci'],
  ['jenkinsfile', 'ci'],
  ['azure-pipelines.yml', 'ci'],
  ['.travis.yml', 'ci'],
  ['bitbucket-pipelines.yml', 'ci'],
  ['.drone.yml', 'ci'],
  ['lefthook.yml', 'tool-config'],
  ['.npmrc', 'tool-config'],
  ['.yarnrc.yml', 'tool-config'],
  ['.yarnrc', 'tool-config'],
  ['.pnpmfile.cjs', 'tool-config'],
  ['.gdbinit', 'tool-config'],
  ['.lldbinit', 'tool-config'],
  ['.bazelrc', 'tool-config'],
  ['pip.conf', 'tool-config'],
  ['.curlrc', 'tool-config'],
  ['.wgetrc', 'tool-config'],
  ['.gitmodules', 'tool-config'],
  ['.pre-commit-config.yaml', 'tool-config'],
  ['sitecustomize.py', 'tool-config'],
  ['usercustomize.py', 'tool-config'],
  ['.exrc', 'tool-config'],
  ['.nvimrc', 'tool-config'],
  ['.vimrc.local', 'tool-config'],
]);

const BELOW_HOME: ByRest = [
  [/^\.claude\.json(?:\.backup.*)?$/, 'hook-settings'],
  [/^\.config\/(?:opencode|amp|claude|gemini|codex|github-copilot|devin)(?:\/|$)/, 'hook-settings'],
  [/^\.codeium\/windsurf(?:\/|$)/, 'hook-settings'],
  [/^documents\/cline\/hooks(?:\/|$)/, 'hook-settings'],
  [
    /^(?:\.config\/(?:code|cursor|vscodium|code - insiders)\/user|library\/application support\/(?:code|cursor)\/user)\/(?:settings|mcp|tasks)\.json$/,
    'agent-settings',
  ],
  [/^\.ssh\/authorized_keys2?$/, 'authorized-keys'],
  [/^\.ssh\/(?:config|config\.d\/.*|rc|environment)$/, 'ssh-config'],
  [/^\.claude\/claude\.md$|^\.(?:codex|gemini|qwen)\/(?:agents|gemini|qwen)\.md$/, 'agent-memory'],
  [/^\.config\/git\/attributes$/, 'git-config'],
  [/^(?:\.config\/git\/hooks|\.git-templates?|\.githooks)(?:\/|$)/, 'git-hook'],
  [
    /^(?:\.(?:bash|zsh|tcsh|csh|ksh|mksh|ash|sh|fish|dash)?(?:rc|env|profile|login|logout|_profile|_login|_logout|_aliases|_bashrc)|\.bash_(?:profile|login|logout|aliases|functions|completion)|\.z(?:profile|login|logout|shenv|shrc)|\.profile|\.xprofile|\.xinitrc|\.xsession(?:rc)?|\.inputrc|\.lessfilter|\.lesskey|\.config\/fish\/.*|\.config\/nushell\/.*|\.config\/environment\.d\/.*|\.bashrc\.d\/.*|\.zsh\/.*|\.oh-my-zsh\/custom\/.*|\.pam_environment|\.tmux\.conf|\.screenrc|\.direnvrc|\.config\/direnv\/.*|library\/preferences\/com\.apple\.terminal\.plist)$/,
    'shell-startup',
  ],
  [
    /^(?:\.config\/(?:autostart|systemd\/user|upstart)|\.local\/share\/(?:systemd\/user|dbus-1\/services)|library\/(?:launchagents|launchdaemons|startupitems))(?:\/|$)/,
    'autostart',
  ],
  [
    /^(?:\.vimrc|\.vim\/.*|\.config\/nvim\/.*|\.emacs|\.emacs\.d\/.*|\.irbrc|\.pryrc|\.pythonrc.*|\.ipython\/.*|\.rprofile|\.psqlrc|\.sqliterc|\.mailcap|\.gdbinit)$/,
    'shell-startup',
  ],
  [
    /^(?:\.gitconfig|\.config\/git\/(?:config|ignore)|\.npmrc|\.yarnrc(?:\.yml)?|\.pip\/pip\.conf|\.config\/pip\/.*|\.config\/pypoetry\/.*|\.config\/uv\/.*|\.cargo\/config(?:\.toml)?|\.bunfig\.toml|\.m2\/settings\.xml|\.gradle\/gradle\.properties|\.docker\/(?:config|daemon)\.json|\.docker\/contexts(?:\/.*)?|\.kube\/(?:config|kubectx|kubens)|\.aws\/config|\.config\/gcloud\/(?:configurations\/.*|active_config)|\.azure\/config|\.condarc|\.gemrc|\.bundle\/config|\.config\/gh\/config\.yml|\.config\/composer\/config\.json|\.terraformrc)$/,
    'tool-config',
  ],
];

const IN_SYSTEM: ByRest = [
  [
    /^\/etc\/(?:claude-code|codex|gemini-cli|qwen-code|cursor|windsurf|devin|opencode|copilot)(?:\/|$)/,
    'hook-settings',
  ],
  [/^\/library\/application support\/(?:claudecode|geminicli|qwencode|cursor|windsurf|codex)(?:\/|$)/, 'hook-settings'],
  [
    /^(?:\/private)?\/etc\/(?:profile|profile\.d\/.*|bash\.bashrc|bashrc|zshrc|zprofile|zshenv|zsh\/.*|environment|ld\.so\.preload|ld\.so\.conf(?:\.d\/.*)?)$/,
    'shell-startup',
  ],
  [
    /^(?:\/private)?\/(?:etc\/(?:crontab|anacrontab|cron\.[^/]+(?:\/.*)?)|var\/(?:spool\/cron|cron|at)(?:\/.*)?)$/,
    'crontab',
  ],
  [
    /^(?:\/etc\/(?:systemd|init\.d|init|rc\.local|rc\d?\.d|xdg\/autostart|launchd\.conf)|\/(?:usr\/)?lib\/systemd|\/library\/(?:launchagents|launchdaemons))(?:\/|$)/,
    'autostart',
  ],
  [/^(?:\/private)?\/etc\/ssh\//, 'ssh-config'],
  [/^\/etc\/gitconfig$/, 'git-config'],
];

/** Where everything in `IN_SYSTEM` lies. A pattern costs most when it is first tried, and most paths are none of these. */
const SYSTEM_DIRS: readonly string[] = ['/etc/', '/private/', '/library/', '/var/', '/lib/', '/usr/lib/'];
/** How everything in `BELOW_HOME` begins. */
const HOME_STARTS: readonly string[] = ['.', 'library/', 'documents/'];

const GIT_HOOK = /^hooks(?:\/|$)/;
const GIT_CONFIG =
  /^(?:config(?:\.worktree|\.lock)?|info\/(?:attributes|grafts)|(?:modules|worktrees)\/.*\/config(?:\.worktree)?|hooks-config)$/;

/** What a file is for (`FileFact.role`), by its folded path alone; '' if nothing special. */
export function roleOf(path: string, at: Places): Role {
  if (at.low.own.some((dir) => isUnder(path, dir))) return 'gov';
  if (startsWithAny(path, SYSTEM_DIRS)) for (const [pattern, role] of IN_SYSTEM) if (pattern.test(path)) return role;
  const home = belowHome(path, at.low.home);
  if (home !== null && startsWithAny(home, HOME_STARTS))
    for (const [pattern, role] of BELOW_HOME) if (pattern.test(home)) return role;
  // Scratch projects below temp are nobody's settings.
  if (home === null && !isUnder(path, at.low.workspace) && at.low.temp.some((t) => isUnder(path, t))) return '';
  const parts = path.split('/');
  for (let i = parts.length - 1; i > 0; i--) {
    const part = parts[i] as string;
    if (part[0] !== '.') continue;
    const rest = parts.slice(i + 1).join('/');
    if (part === '.git')
      return GIT_HOOK.test(rest) && !rest.endsWith('.sample') ? 'git-hook' : GIT_CONFIG.test(rest) ? 'git-config' : '';
    const rows = AGENT_DIRS.get(part);
    if (!rows) continue;
    const hit = rows.find(([pattern]) => pattern.test(rest));
    if (hit?.[1] === '') break;
    if (hit) return hit[1];
  }
  return BY_NAME.get(nameOf(path)) ?? '';
}

/** Roles whose files steer gov or an agent's permissions: their zone is `guard`. */
export const GUARD_ROLES: ReadonlySet<Role> = new Set<Role>(['gov', 'hook-settings', 'hook-program', 'agent-settings']);

/** True for a directory such as `.claude` itself, which only matters when it is removed, moved or replaced. */
export function isAgentDir(path: string): boolean {
  return AGENT_DIRS.has(nameOf(path));
}

/** Settings of an editor that run commands or let its agent act unasked. */
export function steersAgent(settings: string): boolean {
  return /autoapprove|chat\.|\bmcp\b|task\.allowautomatictasks|terminal\.integrated\.(?:profiles|env|automation|shell)|security\.workspace\.trust|copilot|"(?:git|python|eslint|prettier)[\w.]*(?:path|runtime|interpreter)/i.test(
    settings,
  );
}
