import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Terminals need tmux: its server detaches itself, so that neither this test nor an agent above it stands over them. */
export const hasTerminals: boolean = spawnSync('tmux', ['-V']).status === 0;

export interface Terminal {
  /** Runs a shell command; answers by what is to be seen and what is typed then; gives back the screen at its end. */
  run(command: string, ...talk: readonly (readonly [see: RegExp, type: string])[]): Promise<string>;
  close(): void;
}

/** A terminal of its own; its socket lies in `dir`. A single letter is typed as a key, anything else as a line. */
export function openTerminal(dir: string, name: string, cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const socket = join(dir, `tmux-${name}`);
  const tmux = (...args: string[]): string =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' }).stdout;
  const seen = async (pattern: RegExp): Promise<string> => {
    for (let i = 0; i < 400; i++) {
      const screen = tmux('capture-pane', '-p', '-J');
      if (pattern.test(screen)) return screen.trimEnd();
      await wait(100);
    }
    throw new Error(`not seen: ${pattern}\n${tmux('capture-pane', '-p')}`);
  };
  return {
    async run(command, ...talk) {
      tmux('new-session', '-d', '-x', '160', '-y', '60', '-c', cwd, `${command}; echo "ended $?"; exec sleep 60`);
      for (const [see, type] of talk) {
        await seen(see);
        tmux('send-keys', '-l', type);
        if (type.length > 1) tmux('send-keys', 'Enter');
      }
      return seen(/^ended \d+/m);
    },
    close: () => void tmux('kill-server'),
  };
}
