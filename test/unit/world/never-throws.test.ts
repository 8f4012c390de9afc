import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileDraft } from '../../../src/model/effect.ts';
import type { Part } from '../../../src/model/value.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';

const SPEC = { files: { 'a/b': '', '.env': '' }, symlinks: { up: '..', self: 'self', abs: '/etc', 'a/l': '../up/x' } };
const piece = fc.constantFrom(
  'a',
  'b',
  'up',
  'self',
  'abs',
  'l',
  '..',
  '.',
  '',
  '.env',
  '~',
  '\0',
  'ü',
  '/',
  '//',
  '/tmp/',
  '/proc/self/cwd',
  '[',
  ']',
  '*',
);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((p) => p.join('/')),
  fc.string({ maxLength: 8 }),
  fc.constantFrom<Part>(
    { glob: '*' },
    { glob: '[!a' },
    { glob: '.*/..' },
    { hole: 'h', like: 'any' },
    { hole: 'n', like: 'name' },
  ),
);
const path = fc.array(part, { maxLength: 5 });
const op = fc.constantFrom<FileDraft['op']>('read', 'write', 'create', 'delete', 'move', 'link', 'chmod', 'list');

it('every path has an answer, normalised and without links, whatever came before it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ op, path, to: path, hard: fc.boolean(), recursive: fc.boolean() }), { maxLength: 6 }),
      path,
      path,
      (drafts, cwd, asked) => {
        const world = overlay(fixtureWorld(SPEC));
        for (const draft of drafts)
          for (const f of world.files(['/home/dev/project'], draft)) world.apply(f, draft, []);
        for (const f of world.files(cwd, { op: 'write', path: asked })) {
          if (f.real === null) expect(f.reason).not.toBe('');
          else expect(f.real).toMatch(/^\/(?:(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!$))?)*$/s);
          expect(f.zone === null).toBe(f.in_workspace === null);
        }
      },
    ),
    { numRuns: 400 },
  );
});
