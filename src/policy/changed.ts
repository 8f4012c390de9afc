import type { FileFact } from '../model/facts.ts';

/** Files that stay: what lies in a temporary directory or is a device does not count. */
export function isChanged({ op, zone }: Pick<FileFact, 'op' | 'zone'>): boolean {
  return op !== 'read' && op !== 'list' && op !== 'exec' && zone !== 'temp' && zone !== 'device';
}
