import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GovError, messageOf } from '../base/errors.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import type { Approver } from './signature.ts';

/** What a machine and its user say about lifting rules. */
export interface ElevationSettings {
  /** The longest time of a grant, milliseconds. */
  readonly maxMs: number;
  readonly approvers: readonly Approver[];
}

/** Written by root, it holds for everyone on this machine: its approvers are the only ones, its longest time is a bound. */
const MACHINE_FILE = '/etc/gov/elevation.json';
const LONGEST_MS = 8 * 3_600_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `90s`, `10m`, `2h`; null if it is no duration. */
export function durationOf(text: string): number | null {
  const match = /^(\d{1,6})\s?([smhd])$/.exec(text.trim().toLowerCase());
  const ms = match ? Number(match[1]) * (UNITS[match[2] as string] ?? 0) : 0;
  return ms > 0 ? ms : null;
}

/**
 * What holds here: `elevation.json` in the configuration directory, below the machine's own. Throws GovError
 * `policy-elevation` for a file that can't be used: nothing is lifted on a guess.
 */
export function readElevationSettings(paths: Pick<GovPaths, 'config'>, machineFile = MACHINE_FILE): ElevationSettings {
  const user = readSettings(join(paths.config, 'elevation.json'), false);
  const machine = readSettings(machineFile, true);
  return {
    maxMs: Math.min(LONGEST_MS, user?.maxMs ?? LONGEST_MS, machine?.maxMs ?? LONGEST_MS),
    approvers: machine?.approvers ?? user?.approvers ?? [],
  };
}

/** The approvers alone. Throws as `readElevationSettings`. */
export function readApprovers(paths: Pick<GovPaths, 'config'>): readonly Approver[] {
  return readElevationSettings(paths).approvers;
}

function readSettings(file: string, byRoot: boolean): { maxMs?: number; approvers?: readonly Approver[] } | null {
  const unusable = (why: string, cause?: unknown): GovError =>
    new GovError({ code: 'policy-elevation', message: `\`${file}\` can't be used: ${why}`, cause });
  let text: string;
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (byRoot && stat.uid !== 0) throw unusable('it does not belong to root');
    if (!stat.isFile() || (stat.mode & 0o022) !== 0) throw unusable('others may write to it');
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw cause instanceof GovError ? cause : unusable(messageOf(cause), cause);
  }
  return parseSettings(text, unusable);
}

function parseSettings(text: string, unusable: (why: string) => GovError) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable('it is not a JSON object');
  const out: { maxMs?: number; approvers?: readonly Approver[] } = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === 'max') {
      const ms = typeof member === 'string' ? durationOf(member) : null;
      if (ms === null) throw unusable('`max` is not a duration such as `1h`');
      out.maxMs = ms;
    } else if (name === 'approvers') {
      if (!Array.isArray(member) || !member.every(isApprover))
        throw unusable('`approvers` is not a list of {"name": "…", "key": "raw Ed25519 key in base64"}');
      out.approvers = member;
    } else throw unusable(`it has an unknown member \`${name}\``);
  }
  return out;
}

function isApprover(value: unknown): value is Approver {
  if (typeof value !== 'object' || value === null) return false;
  const { name, key } = value as { name?: unknown; key?: unknown };
  return typeof name === 'string' && name !== '' && typeof key === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(key);
}
