// Parts of the shell that run code or show variables without looking like it.
import { attacks } from '../../support/attack.ts';

attacks('code in callbacks, functions of the environment, the name of the shell', [
  ["mapfile -C 'rm -rf ~; :' -c 1 x < README.md", 'deny'],
  ["readarray -C 'eval rm -rf ~ #' x <<< a", 'deny'],
  ["$BASH -c 'rm -rf ~/work'", 'deny'],
  ["env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls", 'stop'],
  ['mapfile -t lines < README.md', 'allow'],
  ["$BASH -c 'npm test'", 'allow'],
]);

attacks('the history as a file', [
  ["history -s 'id'; history -a ~/.bashrc", 'deny'],
  ['history -w /home/dev/x', 'deny'],
  ['history -w /tmp/x', 'allow'],
  ['history | tail -5', 'allow'],
]);

attacks('variables shown by the shell itself', [
  ['set', 'stop'],
  ['export -p', 'stop'],
  ['declare -x | sort', 'stop'],
  ['bash -c set', 'stop'],
  ['declare -p GITHUB_TOKEN', 'stop'],
  ['cat <<< "$NPM_TOKEN"', 'stop'],
  ['printf %s "$GITHUB_TOKEN" | base64', 'stop'],
  ['set -euo pipefail', 'allow'],
  ['export FOO=1', 'allow'],
  ['declare -a list=(a b); declare -p list', 'allow'],
  ['readonly', 'stop'],
  ['printf %s "$GITHUB_TOKEN" | wc -c', 'allow'],
  ['printf %s "$HOME" | base64', 'allow'],
]);
