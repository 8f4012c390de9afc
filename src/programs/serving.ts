import type { EffectDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { render, type Value } from '../model/value.ts';
import { effect } from './drafts.ts';

/**
 * A server of files: a port, and a share for everybody who can reach this machine if the directory is neither in the
 * workspace nor scratch. Null stands for the current directory.
 */
export function servesFiles(inv: Invocation, directory: Value | null, port: string): readonly EffectDraft[] {
  const path: Value = directory && directory.length > 0 ? directory : ['.'];
  const { zone, real } = inv.world.resolve(inv.cwd, path, true);
  const listens = effect('listen', port);
  if (zone === null || zone === 'workspace' || zone === 'temp') return [listens];
  return [listens, effect('share-publicly', real ?? render(path), `serves the files of ${real ?? render(path)}`)];
}
