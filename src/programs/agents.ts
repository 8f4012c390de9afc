import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { below } from './paths.ts';
import { pathOf } from './verbs.ts';
import { say } from './words.ts';

/** One coding agent: what on its command line takes its checks away or gives it other settings. */
interface Agent {
  readonly names: readonly string[];
  readonly manual: string;
  readonly options: string;
  /** Options that switch approvals or the sandbox off. */
  readonly free: readonly string[];
  /** Options with a value that does so. */
  readonly freeValues?: Readonly<Record<string, RegExp>>;
  /** Options that bring other settings, tool servers or plugins. */
  readonly settings?: readonly string[];
  /** Variables that do either. */
  readonly variables?: readonly string[];
  /** Options whose value is a command that the agent runs. */
  readonly commands?: readonly string[];
  /** Subcommands that change its settings, and the file they change. */
  readonly configures?: RegExp;
  readonly settingsFile?: string;
}

const AGENTS: readonly Agent[] = [
  {
    names: ['claude', 'claude-code'],
    manual: 'Claude Code CLI reference',
    options:
      'p print, c continue, r resume?, model:, fallback-model:, output-format:, input-format:, permission-mode:, permission-prompt-tool:, settings:, setting-sources:, mcp-config:, strict-mcp-config, allowedTools allowed-tools:, disallowedTools disallowed-tools:, tools:, add-dir:, system-prompt:, append-system-prompt:, system-prompt-file:, agents:, agent:, plugin-dir:, session-id:, max-turns:, max-budget-usd:, json-schema:, betas:, s scope:, t transport:, e env:, H header:, debug-file:, d debug?, n name:, w worktree?, verbose, v version, h help, ide, bare, effort:, dangerously-skip-permissions, allow-dangerously-skip-permissions, fork-session, no-session-persistence, safe-mode',
    free: ['dangerously-skip-permissions', 'allow-dangerously-skip-permissions', 'bare'],
    freeValues: {
      'permission-mode': /^(bypassPermissions|auto)$/,
      allowedTools: /(^|[\s,])(\*|Bash(\(\*?(:\*)?\))?)([\s,]|$)/,
    },
    settings: ['settings', 'setting-sources', 'mcp-config', 'plugin-dir', 'permission-prompt-tool'],
    variables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SIMPLE'],
    configures:
      /^(mcp (add|add-json|add-from-claude-desktop|remove|reset-project-choices)|config (set|add|remove)|plugin (install|i|enable|disable|uninstall|update)|plugins? marketplace (add|remove))/,
    settingsFile: '.claude.json',
  },
  {
    names: ['codex'],
    manual: 'Codex CLI reference',
    options:
      'a ask-for-approval:, s sandbox:, c config:, p profile:, m model:, C cd:, i image:, add-dir:, o output-last-message:, output-schema:, color:, local-provider:, enable:, disable:, env:, url:, remote:, full-auto, dangerously-bypass-approvals-and-sandbox yolo, dangerously-bypass-hook-trust, oss, search, json, skip-git-repo-check, ephemeral, ignore-user-config, ignore-rules, last, V version, h help',
    free: [
      'full-auto',
      'dangerously-bypass-approvals-and-sandbox',
      'dangerously-bypass-hook-trust',
      'ignore-user-config',
      'ignore-rules',
    ],
    freeValues: {
      'ask-for-approval': /^never$/,
      sandbox: /^danger-full-access$/,
      config: /approval_policy\s*=\s*"?never|sandbox_mode\s*=\s*"?danger|hooks|notify|mcp_servers|bypass/,
      disable: /hooks/,
    },
    variables: ['CODEX_HOME'],
    configures: /^mcp (add|remove)/,
    settingsFile: '.codex/config.toml',
  },
  {
    names: ['gemini', 'gemini-cli', 'qwen', 'qwen-code', 'iflow'],
    manual: 'Gemini CLI, Qwen Code documentation',
    options:
      'p prompt:, i prompt-interactive:, m model:, approval-mode:, allowed-tools:, allowed-mcp-server-names:, e extensions:, include-directories:, o output-format:, policy:, sandbox-image:, s sandbox?, y yolo, d debug, r resume?, c checkpointing, scope:, transport:, v version, h help, trust, a all-files',
    free: ['yolo', 'trust'],
    freeValues: { 'approval-mode': /^(yolo|auto_edit|auto-edit)$/, 'allowed-tools': /run_shell_command|ShellTool|\*/ },
    settings: ['policy'],
    variables: ['GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_HOME', 'QWEN_HOME'],
    configures:
      /^(mcp (add|remove)|extensions? (install|link|enable|disable|uninstall|update)|hooks (disable|disable-all))/,
    settingsFile: '.gemini/settings.json',
  },
  {
    names: ['cursor-agent', 'cursor'],
    manual: 'Cursor CLI reference',
    options:
      'p print, f force, yolo, approve-mcps, m model:, output-format:, sandbox:, workspace:, resume?, a api-key:, H header:, trust, mode:, v version, h help, add-mcp:, install-extension:, g goto, w wait, n new-window, d diff',
    free: ['force', 'yolo', 'approve-mcps', 'trust'],
    freeValues: { sandbox: /^disabled$/ },
    settings: ['add-mcp', 'install-extension'],
    configures: /^mcp (enable|disable|login)/,
    settingsFile: '.cursor/cli-config.json',
  },
  {
    names: ['copilot'],
    manual: 'GitHub Copilot CLI',
    options:
      'p prompt:, i interactive:, model:, agent:, allow-tool?, deny-tool?, allow-url?, add-dir:, additional-mcp-config:, config-dir:, log-dir:, plugin-dir:, allow-all-tools, allow-all-paths, allow-all-urls, allow-all yolo, autopilot, s silent, resume?, v version, h help, disable-mcp-server:, no-ask-user',
    free: ['allow-all-tools', 'allow-all-paths', 'allow-all-urls', 'allow-all'],
    freeValues: { 'allow-tool': /^shell$|^$|\*/ },
    settings: ['additional-mcp-config', 'config-dir', 'plugin-dir'],
    variables: ['COPILOT_HOME', 'COPILOT_ALLOW_ALL'],
    configures: /^plugin (install|uninstall|update)/,
    settingsFile: '.copilot/config.json',
  },
  {
    names: ['opencode', 'opencode-ai', 'crush', 'kilo', 'kilocode'],
    manual: 'opencode, Crush documentation',
    options:
      'm model:, agent:, p prompt:, s session:, f file:, format:, port:, hostname:, attach:, title:, c continue cwd?, y yolo, dangerously-skip-permissions, auto, share, q quiet, D data-dir:, v version, h help, d debug',
    free: ['yolo', 'dangerously-skip-permissions', 'auto'],
    variables: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_PERMISSION', 'OPENCODE_CONFIG_DIR'],
    configures: /^(mcp add|plugin)/,
    settingsFile: '.config/opencode/opencode.json',
  },
  {
    names: ['aider'],
    manual: 'aider documentation',
    options:
      'm message:, f message-file:, model:, test-cmd:, lint-cmd:, c config:, read:, file:, env-file:, load:, commit-prompt:, notifications-command:, yes-always yes, auto-test, auto-lint, test, lint, no-git, version, h help, edit-format:, openai-api-key:, api-key:, set-env:, git-commit-verify, no-git-commit-verify',
    free: ['yes-always'],
    settings: ['config', 'load'],
    commands: ['test-cmd', 'lint-cmd', 'notifications-command'],
  },
  {
    names: ['goose'],
    manual: 'goose documentation',
    options:
      't text:, i instructions:, recipe:, with-extension:, with-builtin:, with-streamable-http-extension:, n name:, r resume, no-session, model:, provider:, params:, system:, V version, h help, s interactive, max-turns:, debug, q quiet',
    free: [],
    settings: ['with-extension', 'with-streamable-http-extension', 'recipe'],
    variables: ['GOOSE_MODE'],
    commands: ['with-extension'],
  },
  {
    names: [
      'droid',
      'amp',
      'auggie',
      'cline',
      'kiro-cli',
      'openhands',
      'cn',
      'kimi',
      'vibe',
      'forge',
      'plandex',
      'mini',
      'swe-agent',
      'letta',
      'gptme',
      'interpreter',
      'rovodev',
      'warp-agent',
      'trae-cli',
      'codebuff',
      'grok',
      'devin',
      'windsurf',
      'junie',
      'open-interpreter',
    ],
    manual: 'each agent',
    options:
      'auto:, f file:, m model:, o output-format:, settings-file:, mcp-config:, settings:, config:, p prompt:, x execute:, agent:, trust-tools:, r resume?, skip-permissions-unsafe, dangerously-allow-all, y yolo yes, a trust-all-tools, always-approve, auto-approve, allow-all, auto_run, no-sandbox, full-auto, v version, h help, non-interactive, no-interactive, legacy-mode, t task:, c command:, w cwd:, u username:, rules:, permission:, i instruction:',
    free: [
      'skip-permissions-unsafe',
      'dangerously-allow-all',
      'yolo',
      'trust-all-tools',
      'always-approve',
      'auto-approve',
      'allow-all',
      'auto_run',
      'no-sandbox',
      'full-auto',
    ],
    freeValues: { auto: /^(medium|high)$/, 'trust-tools': /./, permission: /allow/ },
    settings: ['settings-file', 'mcp-config', 'settings', 'config'],
    configures: /^(mcp (add|remove|enable|disable)|plugin install)/,
    settingsFile: '.config/amp/settings.json',
  },
];

const LOOKS =
  /^(version|help|doctor|status|login|logout|auth|update|upgrade|mcp (list|ls|get)|mcp$|plugins? (list|ls)|sessions?( list)?|stats|models?|debug|completion|features|usage|whoami|settings list|about)\b/;

/** Coding agents started by an agent. */
export const agents: readonly Program[] = AGENTS.map((agent) =>
  define({
    names: agent.names,
    manual: agent.manual,
    summary: 'a coding agent',
    options: agent.options,
    style: { abbreviations: false },
    run: (args, inv) => start(agent, args, inv),
  }),
);

function start(agent: Agent, args: Parsed, inv: Invocation): Outcome {
  const path = pathOf(args, 3);
  const facts: Outcome = { subcommand: pathOf(args, 1), stdout: { value: null, taints: ['network'] } };
  if (inv.name === 'goose') {
    const migration = migrationOf(args);
    if (migration) return migration;
  }
  if (args.has('version', 'help') || LOOKS.test(path)) return facts;
  if (agent.configures?.test(path)) return { ...facts, files: [settingsDraft(agent, args, inv)] };
  const why = [...freedBy(agent, args), ...settledBy(agent, args, inv)];
  const nested: Nested[] = (agent.commands ?? []).flatMap((option) =>
    args.values(option).map((text): Nested => ({ kind: 'script', via: inv.name, text })),
  );
  const given = (agent.settings ?? []).filter((option) => !agent.commands?.includes(option));
  const files = reads(
    given.flatMap((option) => args.values(option)).filter((v) => !/^[{[]/.test(word(v))),
    { certain: false },
  );
  const effects: EffectDraft[] = why.length > 0 ? [{ kind: 'agent', target: inv.name, detail: why.join(', ') }] : [];
  return { ...facts, files, nested, effects };
}

/** The migration tool for Go has the same name as the agent: `goose postgres URL up`. */
function migrationOf(args: Parsed): Outcome | null {
  const verb = args.operands.map(word).find((v) => /^(up|down|reset|redo|up-to|down-to|up-by-one)$/.test(v));
  if (!verb) return null;
  const kind = verb === 'reset' ? 'db-drop' : 'db-write';
  return { subcommand: verb, effects: [{ kind, target: 'the database', detail: `goose ${verb}` }] };
}

function freedBy(agent: Agent, args: Parsed): readonly string[] {
  const named = agent.free.filter((option) => args.has(option)).map((option) => `--${option}`);
  const loose = args.flags
    .filter((flag) => /^(dangerously-|yolo$|skip-permissions|allow-all|trust-all)/.test(flag))
    .map((flag) => `--${flag}`);
  const valued = Object.entries(agent.freeValues ?? {}).flatMap(([option, pattern]) =>
    args
      .values(option)
      .filter((v) => textOf(v) === null || pattern.test(word(v)))
      .map((v) => `--${option} ${say(v)}`),
  );
  return [...new Set([...named, ...loose, ...valued])];
}

function settledBy(agent: Agent, args: Parsed, inv: Invocation): readonly string[] {
  const options = (agent.settings ?? [])
    .filter((option) => args.has(option))
    .map((option) => `--${option} ${say(args.value(option))}`.trim());
  // Another home has other settings.
  const variables = [...(agent.variables ?? []), 'HOME', 'XDG_CONFIG_HOME']
    .filter((name) => inv.env.has(name))
    .map((name) => `${name}=${say(inv.env.get(name))}`);
  return [...options, ...variables];
}

/** The settings file that a configuring subcommand writes. */
function settingsDraft(agent: Agent, args: Parsed, inv: Invocation): FileDraft {
  const project = word(args.value('scope')) === 'project';
  const claude = agent.names[0] === 'claude';
  const path: Value = project
    ? [claude ? '.mcp.json' : (agent.settingsFile ?? '')]
    : below([inv.world.home], [agent.settingsFile ?? '']);
  return { op: 'write', path };
}
