import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** The rooms of src/ and what each may import: docs/architecture.md, "Rooms". */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  base: [],
  model: ['base'],
  redact: ['base', 'model'],
  shell: ['base', 'model'],
  programs: ['base', 'model'],
  world: ['base', 'model'],
  facts: ['base', 'model', 'redact', 'shell', 'programs', 'world'],
  policy: ['base', 'model', 'redact'],
  audit: ['base', 'model', 'redact'],
  agents: ['base', 'model'],
  grants: ['base', 'model', 'redact', 'policy', 'audit'],
  evidence: ['base', 'model', 'policy', 'world'],
  hook: ['base', 'model', 'redact', 'world', 'facts', 'policy', 'audit', 'grants', 'agents', 'evidence'],
  daemon: ['base', 'model', 'redact', 'world', 'facts', 'policy', 'audit', 'grants', 'agents', 'hook'],
  rulebook: ['base', 'model', 'redact', 'world', 'facts', 'policy', 'evidence'],
  register: ['base', 'model', 'agents', 'audit', 'world', 'policy', 'grants'],
  report: ['base', 'model', 'audit'],
  replay: ['base', 'model', 'audit', 'facts', 'policy', 'world', 'evidence'],
  demo: ['base', 'model'],
  cli: [
    'base',
    'model',
    'redact',
    'audit',
    'grants',
    'report',
    'programs',
    'agents',
    'register',
    'rulebook',
    'policy',
    'facts',
    'evidence',
    'world',
    'replay',
  ],
  commands: [
    'base',
    'model',
    'cli',
    'audit',
    'grants',
    'report',
    'programs',
    'agents',
    'register',
    'rulebook',
    'policy',
    'facts',
    'evidence',
    'world',
    'demo',
    'daemon',
    'redact',
    'replay',
  ],
};

interface Import {
  readonly from: string;
  readonly file: string;
  readonly to: string;
}

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? sources(join(dir, e.name)) : e.name.endsWith('.ts') ? [join(dir, e.name)] : [],
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const room = relative('src', file).split('/')[0] as string;
  const found: Import[] = [];
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = relative('src', join(file, '..', match[1] as string)).split('/')[0] as string;
    if (target !== room) found.push({ from: room, file, to: target });
  }
  return found;
}

test('imports go one way', () => {
  const files = sources('src');
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.flatMap(importsOf).filter((i) => !ALLOWED[i.from]?.includes(i.to));
  expect(wrong.map((i) => `${i.file} imports ${i.to}`)).toEqual([]);
});

test('every room is in the table, and the table has no room that does not exist', () => {
  const rooms = readdirSync('src', { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name);
  expect(Object.keys(ALLOWED).sort()).toEqual(rooms.filter((r) => sources(join('src', r)).length > 0).sort());
});

test('only the audit store talks to SQLite, only rulebook loads YAML and CEL, only commands and cli load oclif', () => {
  const owners: Readonly<Record<string, readonly string[]>> = {
    'better-sqlite3': ['audit'],
    yaml: ['rulebook'],
    '@marcbachmann/cel-js': ['rulebook'],
    '@oclif/core': ['cli', 'commands'],
    unbash: ['shell'],
  };
  const wrong: string[] = [];
  for (const file of sources('src')) {
    const room = relative('src', file).split('/')[0] as string;
    const text = readFileSync(file, 'utf8');
    for (const [name, rooms] of Object.entries(owners))
      if (new RegExp(`(from|import\\()\\s*'${name.replace(/[/@]/g, '\\$&')}`).test(text) && !rooms.includes(room))
        wrong.push(`${file} loads ${name}`);
  }
  expect(wrong).toEqual([]);
});
