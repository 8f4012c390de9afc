import { programs } from '../../../src/programs/index.ts';
import { analyseShell, type ShellResult } from '../../../src/shell/analyse.ts';
import { type FixtureSpec, fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';

export const WORKSPACE = '/home/dev/project';

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'text\n',
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  '.env': 'TOKEN=x\n',
  'wipe.sh': '#!/bin/sh\nrm -rf "$1"\n',
  'tool.py': '#!/usr/bin/env python3\nprint(1)\n',
};

/** Analyses shell text in a small project. */
export function analysed(text: string, spec: Partial<FixtureSpec> = {}): ShellResult {
  const files = { ...FILES, ...spec.files };
  const world = overlay(fixtureWorld({ home: '/home/dev', workspace: WORKSPACE, ...spec, files }));
  return analyseShell(text, { cwd: [WORKSPACE], programs, world });
}

/** The commands found, one line each: words, `@directory` if another, `<via`, `?` if uncertain, `^` if privileged. */
export function commandsOf(text: string, spec: Partial<FixtureSpec> = {}): readonly string[] {
  return analysed(text, spec).commands.map((c) => {
    const cwd = c.cwd === WORKSPACE ? '' : ` @${c.cwd ?? 'unknown'}`;
    const via = c.via.length > 0 ? ` <${c.via.join('>')}` : '';
    const where = c.elsewhere === '' ? '' : ` (${c.elsewhere})`;
    return `${c.argv.join(' ')}${cwd}${via}${where}${c.privileged ? ' ^' : ''}${c.certain ? '' : ' ?'}`;
  });
}

/** What becomes of files, one line each: operation and where it lands. */
export function filesOf(text: string, spec: Partial<FixtureSpec> = {}): readonly string[] {
  return analysed(text, spec).files.map((f) => `${f.op} ${f.real ?? `(${f.path})`}${f.certain ? '' : ' ?'}`);
}

/** The kinds of effects, and where data goes. */
export function effectsOf(text: string, spec: Partial<FixtureSpec> = {}): readonly string[] {
  const { effects, dests } = analysed(text, spec);
  return [...effects.map((e) => e.kind), ...dests.map((d) => `to ${d.host ?? 'unknown'} ${d.sends}`)];
}
