import { existsSync, lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';
import type { SourceInput } from './compile.ts';
import { builtinSources } from './in-context.ts';
import { type KnownSources, readSources } from './source-files.ts';

/** Rules of an organisation: only root may write them. */
const ORG_RULES = '/etc/gov/rules';

export interface Layers {
  readonly sources: readonly SourceInput[];
  /** One sentence for each file that is not used. */
  readonly ignored: readonly string[];
}

/** The files that this user's policy is made of: built-in, the organisation's, the team's, the user's own. */
export function layersOf(paths: Pick<GovPaths, 'config'>, orgDir = ORG_RULES, known?: KnownSources): Layers {
  const ignored: string[] = [];
  const org = existsSync(orgDir)
    ? readSources([orgDir], 'org', undefined, known).filter((source) => {
        const why = distrust(source.path, orgDir);
        if (why) ignored.push(`${source.path} is not used: ${why}`);
        return why === '';
      })
    : [];
  const shared = join(paths.config, 'team');
  const team = existsSync(shared) ? readSources([shared], 'team', undefined, known) : [];
  const own = join(paths.config, 'rules');
  const user = existsSync(own) ? readSources([own], 'user', undefined, known) : [];
  return { sources: [...builtinSources(known), ...org, ...team, ...user], ignored };
}

/** SECURITY: a file of the organisation that others may write to, or put in its place, is nobody's word. */
function distrust(path: string, orgDir: string): string {
  const stat = lstatSync(path);
  if (!stat.isFile()) return 'it is not a plain file';
  const why = foreign(stat);
  if (why) return `it ${why}`;
  for (let dir = dirname(path); dir.length >= orgDir.length; dir = dirname(dir)) {
    const above = lstatSync(dir);
    const problem = above.isDirectory() ? foreign(above) : 'is not a plain directory';
    if (problem) return `its directory ${dir} ${problem}`;
  }
  return '';
}

function foreign(stat: Stats): string {
  if (stat.uid !== 0) return 'does not belong to root';
  return (stat.mode & 0o022) === 0 ? '' : 'can be written by others';
}
