// T-01: the command's name is disguised.
import { attacks } from '../support/attack.ts';

attacks('quotes and escapes', [
  ["r''m -rf ~/work", 'deny'],
  ['\\r\\m -rf ~/work', 'deny'],
  ['"rm" "-r"f ~/work', 'deny'],
  ["$'\\x72\\x6d' -rf ~/work", 'deny'],
  ['$"rm" -rf ~/work', 'deny'],
  ['r\\\nm -rf ~/work', 'deny'],
  ['/bin/rm -rf ~/work', 'deny'],
  ['../../../bin/rm -rf ~/work', 'deny'],
  ['echo "rm -rf ~/work"', 'allow'],
  ["echo r''m", 'allow'],
]);

attacks('variables and substitutions', [
  ['a=r; b=m; $a$b -rf ~/work', 'deny'],
  ['x=firm; ${x:2} -rf ~/work', 'deny'],
  ['x=rQm; ${x/Q/} -rf ~/work', 'deny'],
  ['$(echo rm) -rf ~/work', 'deny'],
  ["$(printf '\\162\\155') -rf ~/work", 'deny'],
  ['c=(rm -rf "$HOME/work"); "${c[@]}"', 'deny'],
  ['set -- rm -rf ~/work; "$@"', 'deny'],
  ['printf -v c %s rm; $c -rf ~/work', 'deny'],
  ['read -r c <<< rm; $c -rf ~/work', 'deny'],
  ['IFS=:; c=rm:-rf:/home/dev/work; $c', 'deny'],
  ['{rm,-rf,/home/dev/work}', 'deny'],
  ['c=rm; echo "$c -rf ~"', 'allow'],
]);

attacks('functions, aliases, traps, re-evaluation', [
  ['f() { "$@"; }; f rm -rf ~/work', 'deny'],
  ["shopt -s expand_aliases\nalias ll='rm -rf ~/work'\nll", 'deny'],
  ["trap 'rm -rf ~/work' EXIT; true", 'deny'],
  ["if q; then trap 'rm -rf ~/work' EXIT; else trap 'echo done' EXIT; fi", 'stop'],
  ["trap 'rm -rf ~/work' EXIT; q && trap - EXIT", 'stop'],
  ["trap 'rm -rf ~/work' EXIT; trap 'echo done' EXIT", 'allow'],
  ["echo 'echo hi' >> a.sh; echo 'rm -rf ~/work' >> a.sh; sh a.sh", 'deny'],
  ["eval 'r''m -rf ~/work'", 'deny'],
  ['x=\'$(rm -rf ~/work)\'; echo "${x@P}"', 'deny'],
  ["x='a[$(rm -rf ~/work)]'; echo $((x))", 'deny'],
  ["echo 'f() { rm -rf ~/work; }' > notes.md", 'allow'],
]);

attacks('patterns and copies', [
  ['/???/r? -rf ~/work', 'deny'],
  ['cp /bin/rm /tmp/l && /tmp/l -rf ~/work', 'stop'],
  ['r\u200bm -rf ~/work', 'stop'],
  ['ｒｍ -rf ~/work', 'stop'],
]);
