// What the other presets let pass and stop: reading under `readonly`, ordinary work under `strict`, and nothing hostile
// under any of them.
import { describe, expect, test } from 'vitest';
import { toolCallOf } from '../../../src/cli/check-call.ts';
import { factsOf } from '../../../src/facts/facts.ts';
import { decide } from '../../../src/policy/decide.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { compileBuiltin } from '../../support/policy.ts';

const P = '/home/dev/project';
const FILES = { '.env.example': 'A=\n', 'README.md': 'x\n', 'src/a.ts': 'x\n', 'app.db': 'x' };
const policies = {
  strict: compileBuiltin('strict'),
  readonly: compileBuiltin('readonly'),
  ci: compileBuiltin('ci'),
};

function answer(preset: keyof typeof policies, tool: string, input: Record<string, unknown>): string {
  const world = fixtureWorld({ home: '/home/dev', workspace: P, git: { branch: 'topic' }, files: FILES });
  const call = toolCallOf({ tool, input, cwd: P, agent: 'claude-code' });
  return decide(policies[preset], factsOf(call, world), { now: 0 }).answer;
}

const shell = (preset: keyof typeof policies, command: string): string => answer(preset, 'Bash', { command });

/** Leaves nothing changed: passes everywhere. */
const LOOKS = [
  'git status -sb',
  'git fetch --all',
  'git stash list',
  'git branch -a',
  'git config --get user.name',
  'git lfs ls-files',
  'git verify-commit HEAD',
  'git gc --help',
  'git push --dry-run origin topic',
  'ls -la .env.example ~/.ssh',
  'ssh-keygen -lf ~/.ssh/id_ed25519.pub',
  'ssh-add -l',
  "psql -c '\\dt'",
  "psql -c 'explain analyze select * from users'",
  'sqlite3 app.db .schema',
  "sqlite3 app.db 'pragma table_info(users)'",
  "mysql -e 'show tables' app",
  'redis-cli get k',
  'kubectl config get-contexts',
  'kubectl rollout status deploy/web',
  'kubectl apply -f k8s/ --dry-run=client -o yaml',
  'doctl compute droplet list',
  'heroku logs --tail -a x',
  'terraform output',
  'npx prisma validate',
  'alembic history',
];

/** Changes the project and nothing else: passes under strict, not under readonly. */
const WORKS = [
  'git add -A',
  'git checkout -b topic2',
  'git merge main',
  'git rebase main',
  'git branch -d merged',
  'git stash',
  'git config user.email dev@example.com',
  'touch .env.local',
  "echo 'save-exact=true' >> .npmrc",
  'sed -i s/a/b/ src/a.ts',
];

/** Leaves the project: asked or denied under all. */
const LEAVES = [
  'git push',
  'ssh web1 touch x',
  'docker exec web touch /app/x',
  "psql -c 'drop table users'",
  "psql -c '\\! rm -rf ~'",
  'redis-cli flushall',
  'kubectl apply -f k8s/',
  'kubectl config use-context prod',
  'heroku ps:scale web=0',
  'terraform apply',
  'aws s3 rm s3://b --recursive',
  'npm publish',
];

const SERVERS: readonly (readonly [tool: string, input: Record<string, unknown>, looks: boolean])[] = [
  ['mcp__github__list_issues', { owner: 'a', repo: 'b' }, true],
  ['mcp__postgres__query', { sql: 'select 1' }, true],
  ['mcp__filesystem__read_text_file', { path: `${P}/README.md` }, true],
  ['mcp__playwright__browser_navigate', { url: 'http://localhost:3000' }, true],
  ['mcp__github__create_issue', { owner: 'a', repo: 'b', title: 'x' }, false],
  ['mcp__git__git_commit', { repo_path: '.', message: 'x' }, false],
  ['mcp__slack__slack_post_message', { channel_id: 'C', text: 'x' }, false],
  ['mcp__x__nuke', {}, false],
];

describe('presets', () => {
  test.each(LOOKS)('looking passes: %s', (command) => {
    expect(shell('readonly', command)).toBe('allow');
    expect(shell('strict', command)).toBe('allow');
    expect(shell('ci', command)).toBe('allow');
  });
  test.each(WORKS)('work of the project: %s', (command) => {
    expect(shell('readonly', command)).not.toBe('allow');
    expect(shell('strict', command)).toBe('allow');
    expect(shell('ci', command)).toBe('allow');
  });
  test.each(LEAVES)('what leaves the project: %s', (command) => {
    expect(shell('readonly', command)).not.toBe('allow');
    expect(shell('strict', command)).not.toBe('allow');
  });
  test.each(SERVERS)('tool servers: %s %j', (tool, input, looks) => {
    expect(answer('readonly', tool, input) === 'allow').toBe(looks);
    expect(answer('strict', tool, input) === 'allow').toBe(looks);
  });
});
