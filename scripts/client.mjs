// Compiles hooks/ask-daemon.c to dist/ask-daemon where there is a C compiler; elsewhere the launchers use Perl.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const OUT = 'dist/ask-daemon';

/** Statically if the system can: it starts in half the time, and no library of the caller's gets into it. */
export function compileClient() {
  for (const more of [['-static'], []]) {
    const run = spawnSync('cc', ['-O2', '-Wall', '-Wextra', '-s', ...more, '-o', OUT, 'hooks/ask-daemon.c'], {
      encoding: 'utf8',
    });
    if (run.status === 0) return;
    rmSync(OUT, { force: true });
  }
  console.error('no C compiler: hooks ask the daemon with Perl, which takes some 2 ms longer');
}
