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

// The parser ends a word before `<(`, shells read on.
attacks('a word that goes on with a process substitution', [
  ['X=<(true) rm -rf ~/work', 'deny'],
  ['X=a<(true)b rm -rf ~/work', 'deny'],
  ['X=>(cat) Y=2 rm -rf ~/work', 'deny'],
  ['X+=<(true) Y="a b"c rm -rf ~/work', 'deny'],
  ['a[0]=<(true) rm -rf ~/work', 'deny'],
  ['>out<(true) rm -rf ~/work', 'deny'],
  ['<<<a<(true) rm -rf ~/work', 'deny'],
  ['cat <<E<(x)\nE<(x)\nrm -rf ~/work\nE\n', 'stop'],
  ["BASH_ENV=<(echo 'rm -rf ~/work') bash -c :", 'stop'],
  ["X=<(echo 'rm -rf ~/work'); source $X", 'deny'],
  ["alias x='A=<(true) rm -rf ~/work'\nx", 'stop'],
  ['X=<(git log) npm test', 'allow'],
  ['LOG=<(sort a.txt); diff "$LOG" b.txt', 'allow'],
  ['diff <(ls src) <(ls test)', 'allow'],
  ['cat <<E\n<(x)\nE', 'allow'],
]);
