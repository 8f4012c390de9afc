import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GovError } from '../../../src/base/errors.ts';
import { loadPolicy, parsePolicy, twinBytes, twinOf } from '../../../src/policy/load.ts';
import { sealPolicy, serializePolicy } from '../../../src/rulebook/bundle.ts';
import { policyOf, rule } from './facts.ts';

const policy = policyOf(rule('a.b', 'file', 'file.path == "naïve – \u2028"'));
const text = serializePolicy(policy);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GovError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('a bundle', () => {
  it('comes back as it was', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'gov-load-')), 'p.json');
    writeFileSync(path, text);
    expect(loadPolicy(path)).toEqual(policy);
  });

  it.each<[string, string, Buffer]>([
    ['its twin', text, twinBytes(text)],
    ['a twin of another bundle', text, twinBytes(`${text} `)],
    ['a damaged twin', text, Buffer.alloc(0)],
  ])('beside %s comes back as it was', (_name, content, twin) => {
    const path = join(mkdtempSync(join(tmpdir(), 'gov-load-')), 'p.json');
    writeFileSync(path, content);
    writeFileSync(twinOf(path), twin);
    expect(loadPolicy(path)).toEqual(policy);
  });

  it.each<[string, string]>([
    ['changed', text.replace('"effect":"deny"', '"effect":"warn"')],
    ['changed at equal length', text.replace('"deny"', '"warn"')],
    ['cut', text.slice(0, -1)],
    ['empty', ''],
  ])('that was %s beside its twin is damaged', (_name, content) => {
    const path = join(mkdtempSync(join(tmpdir(), 'gov-load-')), 'p.json');
    writeFileSync(path, content);
    writeFileSync(twinOf(path), twinBytes(text));
    expect(codeOf(() => loadPolicy(path))).toBe('policy-damaged');
  });

  it.each<[string, string]>([
    ['changed', text.replace('"effect":"deny"', '"effect":"warn"')],
    ['cut', text.slice(0, -1)],
    ['longer', `${text} `],
    ['empty', ''],
    ['without digest', JSON.stringify({ format: 1 })],
    ['with another digest', text.replace(policy.digest, '0'.repeat(64))],
    ['of another format', serializePolicy(sealPolicy({ ...policy, digest: undefined, format: 2 } as never))],
  ])('%s is damaged', (_name, damaged) => {
    expect(damaged).not.toBe(text);
    expect(codeOf(() => parsePolicy(damaged, 'p.json'))).toBe('policy-damaged');
  });

  it('that is not there is unreadable', () => {
    expect(codeOf(() => loadPolicy('/nonexistent/p.json'))).toBe('policy-unreadable');
  });

  it('has the digest of its content', () => {
    expect(sealPolicy((({ digest: _, ...rest }) => rest)(policy)).digest).toBe(policy.digest);
  });
});
