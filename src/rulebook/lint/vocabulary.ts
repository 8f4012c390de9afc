import type { FileOp, Reversible, Sends, Zone } from '../../model/effect.ts';
import { EFFECT_KINDS, FILE_ROLES } from '../../model/effect-kinds.ts';
import { EVENT_NAMES, TOOL_NAMES } from '../../model/tool-call.ts';

const OPS: Readonly<Record<FileOp, true>> = {
  read: true,
  list: true,
  write: true,
  create: true,
  delete: true,
  move: true,
  chmod: true,
  exec: true,
  link: true,
};
const ZONES: Readonly<Record<Zone, true>> = {
  workspace: true,
  temp: true,
  home: true,
  system: true,
  device: true,
  secret: true,
  guard: true,
  vcs: true,
  outside: true,
};
const REVERSIBLE: Readonly<Record<Reversible, true>> = {
  tracked: true,
  derived: true,
  scratch: true,
  no: true,
  unknown: true,
};
const SENDS: Readonly<Record<Sends, true>> = { nothing: true, text: true, file: true, secret: true };

/** The words that a field can have, by type and name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'Effect.kind': Object.keys(EFFECT_KINDS),
  'File.op': Object.keys(OPS),
  'File.zone': Object.keys(ZONES),
  'File.role': Object.keys(FILE_ROLES),
  'File.reversible': Object.keys(REVERSIBLE),
  'Dest.sends': Object.keys(SENDS),
  'Command.elsewhere': ['', 'remote', 'container'],
  'Tool.name': TOOL_NAMES,
  'Event.name': EVENT_NAMES,
};

/** Null: any text. */
export function valuesOf(type: string, field: string): readonly string[] | null {
  return VALUES[`${type}.${field}`] ?? null;
}
