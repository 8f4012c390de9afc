import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/policy/decide.ts';
import { importClaudeCode } from '../../../src/rulebook/import/claude-code.ts';
import { importCodex } from '../../../src/rulebook/import/codex.ts';
import { importGemini } from '../../../src/rulebook/import/gemini.ts';
import { type ImportReport, importedText, withoutUnseen } from '../../../src/rulebook/import/rule.ts';
import { type Ask, factsFor } from '../../support/judge.ts';
import { compiled } from './compiled.ts';

/** Effects of the imported rules that fire on a call, strictest first. */
function effects(report: ImportReport, command: string | null, ask: Ask = {}): string {
  const { policy, findings } = compiled(importedText('x', report));
  expect(findings).toEqual([]);
  const hits = decide(policy, factsFor(command, ask), { now: 0 }).rules;
  return [...new Set(hits.map((h) => h.effect))].join(' ') || '-';
}

const claude = (effect: string, entry: string): ImportReport =>
  importClaudeCode(JSON.stringify({ permissions: { [effect]: [entry] } }));

describe('permissions of Claude Code', () => {
  it.each<[string, string, string, string]>([
    ['deny', 'Bash(git push:*)', 'git push origin main', 'deny'],
    ['deny', 'Bash(git push:*)', 'git -C sub push', 'deny'],
    ['deny', 'Bash(git push:*)', 'echo git push', '-'],
    ['deny', 'Bash(git push:*)', 'bash -c "ls; git push"', 'deny'],
    ['ask', 'Bash(npm publish *)', 'npm publish --tag x', 'ask'],
    ['allow', 'Bash(npm run build)', 'npm run build', 'allow'],
    ['allow', 'Bash(npm run build)', 'npm run build:all', '-'],
    ['deny', 'Bash(rm * /srv/*)', 'rm -rf /srv/x', 'deny'],
    ['deny', 'Bash(a.c:*)', 'abc', '-'],
    ['deny', 'Bash', 'ls', 'deny'],
    ['deny', 'Read(./.env)', 'cat .env', 'deny'],
    ['deny', 'Read(./secrets/**)', 'cat secrets/a/b', 'deny'],
    ['deny', 'Read(.env)', 'cat packages/a/.env', 'deny'],
    ['deny', 'Read(~/.ssh/**)', 'cat ~/.ssh/config', 'deny'],
    ['deny', 'Read(//etc/hosts)', 'cat /etc/hosts', 'deny'],
    ['deny', 'Edit(/docs/**)', 'echo x > docs/a.md', 'deny'],
    ['deny', 'Edit(/docs/**)', 'cat docs/a.md', '-'],
    ['deny', 'WebFetch(domain:example.com)', 'curl https://api.example.com/', 'deny'],
  ])('%s %s: %s', (effect, entry, command, want) => {
    expect(effects(claude(effect, entry), command)).toBe(want);
  });

  it('servers and their tools', () => {
    expect(importClaudeCode('{"permissions":{"deny":["mcp__db__drop"]}}').rules[0]?.when).toBe(
      'tool.mcp_server == "db" && tool.mcp_tool == "drop"',
    );
    expect(importClaudeCode('{"permissions":{"deny":["mcp__db"]}}').rules[0]?.when).toBe('tool.mcp_server == "db"');
  });

  it('says what it leaves', () => {
    const { rules, left, notes } = importClaudeCode(
      JSON.stringify({
        permissions: { allow: ['Bash(ls:*)', 'Task(x)'], deny: 'all', defaultMode: 'plan', ask: ['WebFetch(x)'] },
      }),
    );
    expect(rules).toHaveLength(1);
    expect(left).toEqual([
      '`permissions.deny` is not a list',
      'ask `WebFetch(x)`: only `domain:` is known',
      'allow `Task(x)`: the argument of `Task` has no counterpart',
      '`permissions.defaultMode` has no counterpart in rules',
    ]);
    expect(notes).toHaveLength(1);
  });
});

describe('rules of Codex', () => {
  const text = `
# no pushing
prefix_rule(
    pattern = ["git", ["push", "fetch"]],
    decision = "forbidden",
    justification = "ask (first)",  # with a parenthesis
)
prefix_rule(pattern=['npm', 'publish'], decision='prompt')
prefix_rule(pattern=["ls"])
prefix_rule(pattern=words, decision="prompt")
prefix_rule(pattern=["x"], decision="maybe")
load("other.rules", "words")
`;
  const report = importCodex(text);
  it.each([
    ['git push', 'deny'],
    ['git fetch --all', 'deny'],
    ['git pull', '-'],
    ['npm publish', 'ask'],
    ['ls -la', 'allow'],
  ])('%s', (command, want) => {
    expect(effects(report, command)).toBe(want);
  });
  it('keeps the reason and says what it leaves', () => {
    expect(report.rules[0]?.message).toBe('ask (first)');
    expect(report.left).toEqual([
      'line 10: its pattern is not a list of words',
      'line 11: `maybe` is not a decision that is known',
      'text that is no prefix_rule: `load("other.rules", "words")`',
    ]);
  });
});

describe('policies of Gemini CLI', () => {
  const text = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "npm publish"] # two
decision = "deny"
priority = 100
denyMessage = "not from here"

[[rule]]
commandRegex = "terraform (apply|destroy)"
decision = "ask_user"

[[rule]]
toolName = [
  "write_file",
  "replace",
]
decision = "ask_user"

[[rule]]
mcpName = "db"
toolName = "drop"
decision = "deny"

[[rule]]
toolName = "read_file"
argsPattern = "secret"
decision = "allow"

[other]
decision = "deny"
`;
  const report = importGemini(text);
  it.each<[string | null, Ask, string]>([
    ['git push origin', {}, 'deny'],
    ['npm publish', {}, 'deny'],
    ['terraform apply -auto-approve', {}, 'ask'],
    ['terraform plan', {}, '-'],
    [null, { tool: 'write', rawTool: 'write_file', input: { file_path: 'a', content: 'x' } }, 'ask'],
  ])('%s', (command, ask, want) => {
    expect(effects(report, command, ask)).toBe(want);
  });
  it('says what it leaves, and never widens an allow', () => {
    expect(report.rules.map((r) => r.effect)).toEqual(['deny', 'deny', 'ask', 'ask', 'deny']);
    expect(report.rules[0]?.message).toBe('not from here');
    expect(report.left).toEqual([
      'line 30: `[other]` is no rule',
      'rule at line 25: `argsPattern` has no counterpart; it is left out',
    ]);
    expect(report.notes).toEqual(['priorities are not carried over: the strictest rule wins here']);
  });
});

describe('what is no such file, or hides something', () => {
  it.each<[string, () => unknown, string]>([
    ['a list', () => importClaudeCode('[]'), 'no map'],
    ['null', () => importClaudeCode('null'), 'no map'],
    ['permissions that are a text', () => importClaudeCode('{ "permissions": "all" }'), 'no map'],
  ])('%s is no settings file', (_name, read, want) => {
    expect(read).toThrow(want);
  });
  it('TOML that can not be read is told', () => {
    expect(importGemini('x =\nfree text\n[[rule]]\ndecision = "deny"\n???\n').left).toEqual([
      "line 1: `x =` can't be read",
      "line 2: `free text` can't be read",
      "line 5: `???` can't be read",
    ]);
  });
  it('an entry with characters that nobody sees is left', () => {
    const report = withoutUnseen(
      importClaudeCode(JSON.stringify({ permissions: { deny: ['Read(a\u202eb)', 'Read(añb)'] } })),
    );
    expect(report.rules.map((r) => r.from)).toEqual(['Read(añb)']);
    expect(report.left).toEqual(["deny `Read(a\u202eb)`: it holds characters that can't be seen"]);
  });
});
