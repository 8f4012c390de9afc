import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { CommandFact, DestFact, EffectFact, FileFact, Unknown } from '../model/facts.ts';
import { known } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';

/** What one tool call was found to do. */
export interface Findings {
  readonly commands: readonly CommandFact[];
  readonly files: readonly FileFact[];
  readonly dests: readonly DestFact[];
  readonly effects: readonly EffectFact[];
  readonly unknowns: readonly Unknown[];
}

export const NOTHING: Findings = { commands: [], files: [], dests: [], effects: [], unknowns: [] };

/** All of them as one; indexes of commands are moved so that they stay right. */
export function joined(all: readonly Findings[]): Findings {
  if (all.length === 1) return all[0] as Findings;
  const commands: CommandFact[] = [];
  const files: FileFact[] = [];
  const dests: DestFact[] = [];
  const effects: EffectFact[] = [];
  const unknowns: Unknown[] = [];
  for (const f of all) {
    const by = commands.length;
    const move = <T extends { readonly command: number }>(list: readonly T[]): T[] =>
      list.map((x) => (by === 0 || x.command < 0 ? x : { ...x, command: x.command + by }));
    for (const c of f.commands)
      commands.push({
        ...c,
        id: c.id + by,
        parent: c.parent < 0 ? -1 : c.parent + by,
        targets: move(c.targets),
        dests: move(c.dests),
        effects: move(c.effects),
      });
    files.push(...move(f.files));
    dests.push(...move(f.dests));
    effects.push(...move(f.effects));
    unknowns.push(...f.unknowns);
  }
  return { commands, files, dests, effects, unknowns };
}

/** What a tool does directly, without a command. */
export interface Direct {
  readonly files?: readonly FileDraft[];
  readonly dests?: readonly DestDraft[];
  readonly effects?: readonly EffectDraft[];
}

/** Drafts of a tool as facts, seen from the call's directory. `via` is the tool's name. */
export function seen(direct: Direct, cwd: string, via: string, world: Overlay): Findings {
  return {
    ...NOTHING,
    files: (direct.files ?? []).flatMap((draft) => world.files(known(cwd), draft).map((f) => ({ ...f, via: [via] }))),
    dests: (direct.dests ?? []).map((draft) => world.dest(draft)),
    effects: (direct.effects ?? []).map((e) => ({
      kind: e.kind,
      target: e.target ?? '',
      detail: e.detail ?? '',
      force: e.force ?? false,
      recursive: e.recursive ?? false,
      certain: e.certain ?? true,
      command: -1,
    })),
  };
}

/** Findings that were made on a guess: rules turn a deny into a question. */
export function uncertain(f: Findings): Findings {
  const doubt = <T extends { readonly certain: boolean }>(list: readonly T[]): T[] =>
    list.map((x) => ({ ...x, certain: false }));
  return {
    commands: f.commands.map((c) => ({
      ...c,
      certain: false,
      targets: doubt(c.targets),
      dests: doubt(c.dests),
      effects: doubt(c.effects),
    })),
    files: doubt(f.files),
    dests: doubt(f.dests),
    effects: doubt(f.effects),
    unknowns: f.unknowns,
  };
}

/** The call's input is not of the tool's shape, so nothing can be said of what it does. */
export function malformed(field: string, detail: string): Direct {
  return { effects: [{ kind: 'malformed-input', target: field, detail }] };
}
