// T-02: the command is wrapped in another.
import { describe, expect, test } from 'vitest';
import { attacks } from '../support/attack.ts';
import { judge } from '../support/judge.ts';

const WRAPPERS = [
  'sudo',
  'sudo -u root --',
  'doas',
  'env',
  'env -i',
  'env A=1',
  'nice -n 5',
  'ionice -c3',
  'timeout 5',
  'nohup',
  'setsid -f',
  'stdbuf -oL',
  'time',
  'command',
  'exec',
  'exec -a ls',
  'busybox',
  'xargs',
  'flock /tmp/l',
  'unshare -r',
  'strace -f',
  'taskset 1',
  'watch',
  'npx cross-env A=1',
  'poetry run',
  'uv run',
  'bundle exec',
  'mise exec --',
  'conda run -n base',
  'systemd-run --user --wait',
  'find . -maxdepth 0 -exec',
  'chroot /',
];

describe('any wrapper before a blocked command', () => {
  test.each(WRAPPERS)('%s', (wrapper) => {
    const tail = wrapper.startsWith('find') ? ' \\;' : '';
    expect(judge(`${wrapper} rm -rf /home/dev/work${tail}`).answer).toBe('deny');
  });
  test.each([
    'sh -c',
    'bash -c',
    'bash -o pipefail -c',
    'zsh -fc',
    'dash -c',
    'su -c',
    'script -qc',
    'npm exec -c',
    'nix-shell --run',
  ])('%s', (shell) => {
    expect(judge(`${shell} 'rm -rf /home/dev/work'`).answer).toBe('deny');
  });
});

attacks('harmless twins', [
  ['sh -c "npm test"', 'allow'],
  ['timeout 60 npm test', 'allow'],
  ['find src -name "*.orig" -exec rm {} +', 'allow'],
  ['xargs -n1 echo < list.txt', 'allow'],
]);

attacks('standard input is code for a shell', [
  ["echo 'rm -rf /home/dev/work' | sh", 'deny'],
  ["bash <<'EOF'\nrm -rf /home/dev/work\nEOF", 'deny'],
  ["bash <<< 'rm -rf /home/dev/work'", 'deny'],
  ["rev <<< 'krow/ved/emoh/ fr- mr' | sh", 'deny'],
  ["cat <<'EOF' > notes.md\nrm -rf /home/dev/work\nEOF", 'allow'],
]);

attacks('other languages', [
  ['python3 -c "import os; os.system(\'rm -rf ~\')"', 'stop'],
  ["node -e \"require('fs').rmSync('/home/dev/work',{recursive:true})\"", 'stop'],
  ['perl -e \'system("rm -rf ~")\'', 'stop'],
  ['ruby -rfileutils -e \'FileUtils.rm_rf("/home/dev/work")\'', 'stop'],
  ['python3 -c \'print("; rm -rf / #")\'', 'allow'],
  ["python3 -c \"import json; print(json.load(open('package.json'))['version'])\"", 'allow'],
]);
