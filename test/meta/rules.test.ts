import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.ts';
import { findSecrets } from '../../src/redact/redact.ts';
import { compilePolicy } from '../../src/rulebook/compile.ts';
import { formatPolicy } from '../../src/rulebook/format.ts';
import { lint } from '../../src/rulebook/lint/lint.ts';
import { runTests } from '../../src/rulebook/rule-tests.ts';
import { readSources } from '../../src/rulebook/source-files.ts';
import { fixtureWorld } from '../../src/world/fixture.ts';
import { overlay } from '../../src/world/overlay.ts';
import { factsFor } from '../support/judge.ts';

const compilation = compilePolicy(readSources(['rules'], 'builtin'));
const bench = { world: fixtureWorld, overlay, secrets: findSecrets };
const results = runTests(compilation, bench);

describe.each(compilation.written.map((w) => [w.rule.id, w] as const))('%s', (id, { data, rule }) => {
  const own = results.filter((r) => r.rule === id);

  it('fires and is silent in tests of its own that pass', () => {
    expect(own.filter((r) => !r.ok).map((r) => `${r.side}: ${r.name}: ${r.got}`)).toEqual([]);
    const cases = new Set((data.tests?.cases ?? []).map((c) => (c.expect.effect === 'none' ? 'silent' : 'fires')));
    const shown = new Set(own.map((r) => (r.side === 'case' ? '' : r.side === 'no_match' ? 'silent' : 'fires')));
    expect([...new Set([...cases, ...shown])].filter((s) => s !== '').sort()).toEqual(['fires', 'silent']);
  });

  it('says why, what instead, where it comes from, and what it may stop by mistake', () => {
    expect(Object.values(data.mappings ?? {}).flat().length).toBeGreaterThan(0);
    expect(data.remediation ?? '').toMatch(/\S{2}/);
    expect(data.references ?? []).not.toEqual([]);
    for (const link of data.references ?? []) expect(link).toMatch(/^https:\/\//);
    expect(data).toHaveProperty('falsepositives');
    expect(data.status).toBe('stable');
    expect(rule.title).not.toBe('');
  });

  it('is silent on ordinary work', () => {
    if (rule.effect === 'allow' || MADE_FOR_SOME.has(rule.pack)) return;
    expect(ORDINARY.filter((command) => firedOn(command).has(id))).toEqual([]);
  });
});

/** Packs of presets for which much of ordinary work is not wanted. */
const MADE_FOR_SOME = new Set(['readonly', 'malformed-project']);

/** What developers and agents run all day, in many languages and tools. */
const ORDINARY: readonly string[] = [
  'ls -la && pwd',
  'cat package.json | jq .scripts',
  "grep -rn 'TODO' src --include='*.ts' | head -20",
  "find . -name '*.test.ts' -not -path './node_modules/*' | xargs wc -l",
  "sed -i 's/foo/bar/g' src/app.ts",
  'mkdir -p src/new && touch src/new/index.ts',
  'rm -rf dist build coverage node_modules/.cache',
  'cp -r templates/basic src/feature && mv src/feature/a.ts src/feature/b.ts',
  'chmod +x scripts/run.sh && ./scripts/run.sh',
  'git status && git diff --stat',
  "git add -A && git commit -m 'Fix: the parser; rm -rf is fine'",
  'git checkout -b topic && git push -u origin topic',
  'git fetch origin && git rebase origin/main',
  'git log --oneline -20 | cat',
  'git stash push -u && git stash pop',
  'npm ci && npm run build && npm test',
  'npx vitest run src/a.test.ts',
  'pnpm install --frozen-lockfile',
  'yarn add -D typescript',
  'node -e "console.log(1 + 1)"',
  'python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt',
  'pytest -q tests/unit -k "not slow"',
  'python3 -c "import json; print(json.dumps({}))"',
  'go build ./... && go test ./... -run TestX',
  'cargo fmt && cargo clippy && cargo test',
  'mvn -q test',
  './gradlew build',
  'make -j4 test',
  'cmake -S . -B build && cmake --build build',
  'bundle exec rspec',
  'composer install && vendor/bin/phpunit',
  'dotnet build && dotnet test',
  'docker build -t app . && docker run --rm app npm test',
  'docker compose up -d db && docker compose logs db',
  'kubectl get pods -n staging',
  'terraform plan -out=plan.tfplan',
  'curl -s https://api.example.com/health | jq .status',
  'curl -X POST -d a=1 http://localhost:3000/api/items',
  "psql -c 'select count(*) from users'",
  "cat <<'EOF' > notes.md\n# rm -rf / is bad\nEOF",
  'for f in src/*.ts; do echo "$f"; done',
  'if [ -f package.json ]; then echo yes; else echo no; fi',
  'tar czf /tmp/out.tgz dist && ls -l /tmp/out.tgz',
  'gh pr view 12 --comments && gh pr create --fill',
  'echo "export FOO=1" && env FOO=1 node app.js',
  'time ./run-benchmarks.sh > /tmp/bench.txt 2>&1',
  'kill %1; wait',
  'ps aux | grep node',
];

const fired = new Map<string, ReadonlySet<string>>();

function firedOn(command: string): ReadonlySet<string> {
  let ids = fired.get(command);
  if (!ids) {
    const decision = decide(compilation.policy, factsFor(command), { now: 0, services: { secrets: findSecrets } });
    ids = new Set(decision.rules.map((hit) => hit.id));
    fired.set(command, ids);
  }
  return ids;
}

it('ids are unique and named after their pack or what they guard', () => {
  const ids = compilation.policy.rules.map((r) => r.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(50);
});

it('tags are words of the vocabulary in the guide to elevation, and each of them is used', () => {
  const guide = readFileSync('docs/guide/elevation.md', 'utf8');
  const table = guide.slice(guide.indexOf('| tag | rules about |')).split('\n\n')[0] ?? '';
  const words = [...table.matchAll(/^\| `([a-z]+)` \| \S/gm)].map((m) => m[1]);
  const tagged = compilation.policy.rules.map((r) => [r.id, r.tags] as const);
  expect(tagged.filter(([, tags]) => tags.length === 0)).toEqual([]);
  expect([...new Set(tagged.flatMap(([, tags]) => tags))].sort()).toEqual(words);
});

it('the files of the built-in rules are in canonical form', () => {
  expect(
    readSources(['rules'])
      .filter(({ text }) => formatPolicy(text) !== text)
      .map((s) => s.path),
  ).toEqual([]);
});

it('the built-in rules compile without a finding, and lint has nothing that is an error', () => {
  expect(compilation.findings).toEqual([]);
  expect(lint(compilation, Date.UTC(2026, 0, 1)).filter((f) => f.severity === 'error')).toEqual([]);
});
