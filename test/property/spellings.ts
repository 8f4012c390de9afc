/** Ways to write a word that bash reads as the same word. Each may need lines before, which it adds to `before`. */
export type Spelling = (word: string, name: string, before: string[]) => string;

const half = (word: string): readonly [string, string] => {
  const at = Math.max(1, word.length >> 1);
  return [word.slice(0, at), word.slice(at)];
};
const each = (word: string, spell: (c: string) => string): string => [...word].map(spell).join('');
const code = (c: string, base: number, width: number): string => c.charCodeAt(0).toString(base).padStart(width, '0');

export const QUOTINGS: readonly Spelling[] = [
  (w) => w,
  (w) => `'${w}'`,
  (w) => `"${w}"`,
  (w) => each(w, (c) => `\\${c}`),
  (w) => `\\${w}`,
  (w) => `$'${each(w, (c) => `\\x${code(c, 16, 2)}`)}'`,
  (w) => `$'${each(w, (c) => `\\${code(c, 8, 3)}`)}'`,
  (w) => `$'${each(w, (c) => `\\u${code(c, 16, 4)}`)}'`,
  (w) => `$'${each(w, (c) => `\\U${code(c, 16, 8)}`)}'`,
  (w) => `$'${w}'`,
  (w) => `$"${w}"`,
  (w) => `''${w}`,
  (w) => `${w}""`,
  (w) => each(w, (c) => `${c}''`),
  (w) => each(w, (c) => `"${c}"`),
  (w) => `${half(w)[0]}''${half(w)[1]}`,
  (w) => `"${half(w)[0]}"'${half(w)[1]}'`,
  (w) => `${half(w)[0]}\\\n${half(w)[1]}`,
  (w) => `\\\n${w}`,
  (w) => `"${half(w)[0]}\\\n${half(w)[1]}"`,
  (w) => `${half(w)[0]}$'${half(w)[1]}'`,
  (w) => `${half(w)[0]}$""${half(w)[1]}`,
  (w) => `${half(w)[0]}$''${half(w)[1]}`,
];

/** By expansions that need nothing before. */
export const EXPANSIONS: readonly Spelling[] = [
  (w) => `$(echo ${w})`,
  (w) => `"$(echo ${w})"`,
  (w) => `$(echo -n '${w}')`,
  (w) => `$(printf %s '${w}')`,
  (w) => `$(printf '%s%s' '${half(w)[0]}' '${half(w)[1]}')`,
  (w) => `\`echo ${w}\``,
  (w) => `"\`echo ${w}\`"`,
  (w) => `$(echo $(echo ${w}))`,
  (w) => `\`echo \\\`echo ${w}\\\`\``,
  (w) => `$(cat <<< '${w}')`,
  (w) => `$(cat <<E\n${w}\nE\n)`,
  (w) => `$(rev <<< '${[...w].reverse().join('')}')`,
  (w) => `$(tr x-z a-c <<< '${w.replace(/[a-c]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 23))}')`,
  (w) => `$(echo 'x${w}' | cut -c2-)`,
  (w) => `$(echo '${w}' | sed s/x/y/)`,
  (w) => `$(echo '${w.replace(/[a-z]/, (c) => c.toUpperCase())}' | tr A-Z a-z)`,
  (w, n) => `\${${n}_unset:-${w}}`,
  (w, n) => `\${${n}_unset-${w}}`,
  (w, n) => `"\${${n}_unset:-${w}}"`,
  (w, n) => `\${${n}_unset:=${w}}`,
  (w) => `\${HOME:+${w}}`,
  (w, n) => `$${n}_unset${w}`.replace(/_unset(?=\w)/, '_unset""'),
  (w, n) => `\${${n}_unset}${w}`,
  (w, n) => `${half(w)[0]}\${${n}_unset}${half(w)[1]}`,
  (w) => `${half(w)[0]}$()${half(w)[1]}`,
  (w) => `${half(w)[0]}\`\`${half(w)[1]}`,
  (w) => `${half(w)[0]}$(:)${half(w)[1]}`,
  (w) => `$(true)${w}`,
  (w) => `{${w},}`,
];

function by(
  before: (word: string, name: string) => readonly string[],
  use: (name: string, word: string) => string,
): Spelling {
  return (word, name, lines) => {
    lines.push(...before(word, name));
    return use(name, word);
  };
}

/** Only for words without capital letters. */
function lower(spelling: Spelling): Spelling {
  return (word, name, lines) => (word === word.toLowerCase() ? spelling(word, name, lines) : word);
}

/** By variables that are set before. */
export const VARIABLES: readonly Spelling[] = [
  by(
    (w, n) => [`${n}='${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}='${w}'`],
    (n) => `"\${${n}}"`,
  ),
  by(
    (w, n) => [`${n}=${half(w)[0]}`, `${n}+='${half(w)[1]}'`],
    (n) => `\${${n}}`,
  ),
  by(
    (w, n) => [`${n}=x${w}y`, `${n}=\${${n}#x}`],
    (n) => `\${${n}%y}`,
  ),
  by(
    (w, n) => [`${n}='${half(w)[0]}@@${half(w)[1]}'`],
    (n) => `\${${n}/@@/}`,
  ),
  by(
    (w, n) => [`${n}='${each(w, (c) => `${c}@`)}'`],
    (n) => `\${${n}//@}`,
  ),
  by(
    (w, n) => [`${n}='@${w}'`],
    (n) => `\${${n}/#@}`,
  ),
  by(
    (w, n) => [`${n}='${w}@'`],
    (n) => `"\${${n}/%@}"`,
  ),
  by(
    (w, n) => [`${n}='xx${w}yy'`],
    (n, w) => `\${${n}:2:${w.length}}`,
  ),
  by(
    (w, n) => [`${n}='xx${w}'`],
    (n, w) => `\${${n}: -${w.length}}`,
  ),
  by(
    (w, n) => [`${n}='${w}yy'`],
    (n) => `\${${n}::-2}`,
  ),
  by(
    (w, n) => [`${n}=(x '${w}')`],
    (n) => `\${${n}[1]}`,
  ),
  by(
    (w, n) => [`${n}=(x '${w}')`],
    (n) => `"\${${n}[-1]}"`,
  ),
  by(
    (w, n) => [`${n}=('${w}')`],
    (n) => `"\${${n}[@]}"`,
  ),
  by(
    (w, n) => [`${n}=('${w}')`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}=(x)`, `${n}+=('${w}')`],
    (n) => `"\${${n}[@]:1}"`,
  ),
  by(
    (w, n) => [`${n}[3]='${w}'`],
    (n) => `\${${n}[1+2]}`,
  ),
  by(
    (w, n) => [`declare -A ${n}=([k]='${w}')`],
    (n) => `\${${n}[k]}`,
  ),
  by(
    (w, n) => [`declare -A ${n}`, `${n}[a b]='${w}'`],
    (n) => `"\${${n}[a b]}"`,
  ),
  by(
    (w, n) => [`${n}_r=${n}_v`, `${n}_v='${w}'`],
    (n) => `\${!${n}_r}`,
  ),
  by(
    (w, n) => [`${n}_v='${w}'`, `declare -n ${n}=${n}_v`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`declare ${n}='${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`export ${n}='${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`readonly ${n}='${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`declare -g ${n}="${w}"`],
    (n) => `$${n}`,
  ),
  lower(
    by(
      (w, n) => [`${n}='${w.toUpperCase()}'`],
      (n) => `\${${n},,}`,
    ),
  ),
  lower(
    by(
      (w, n) => [`declare -l ${n}='${w.toUpperCase()}'`],
      (n) => `$${n}`,
    ),
  ),
  lower(
    by(
      (w, n) => [`${n}='${w.toUpperCase()}'`],
      (n) => `\${${n}@L}`,
    ),
  ),
  by(
    (w, n) => [`${n}='${w}'`],
    (n) => `\${${n}@E}`,
  ),
  by(
    (w, n) => [`printf -v ${n} '%s%s' -- '${w}'`, `${n}=\${${n}#--}`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`printf -v ${n} %b '${each(w, (c) => `\\0${code(c, 8, 3)}`)}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`printf -v ${n} '${each(w, (c) => `\\x${code(c, 16, 2)}`)}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`read -r ${n} <<< '${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`read -r x ${n} <<< 'x ${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`IFS=: read -r x ${n} <<< 'x:${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`read -ra ${n} <<< 'x ${w}'`],
    (n) => `\${${n}[1]}`,
  ),
  by(
    (w, n) => [`read -r ${n} < <(echo '${w}')`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`mapfile -t ${n} <<< '${w}'`],
    (n) => `\${${n}[0]}`,
  ),
  by(
    (w, n) => [`readarray -t ${n} < <(printf '%s\\n' x '${w}')`],
    (n) => `\${${n}[1]}`,
  ),
  by(
    (w, n) => [`${n}=$(echo '${w}')`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}=\`printf '%s' '${w}x'\``],
    (n) => `\${${n}%x}`,
  ),
  by(
    (w, n) => [`set -- x '${w}'`, `${n}=$2`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`set -- x '${w}'`, `${n}=\${@: -1}`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`set -- '${w}'`, `${n}=$1`, 'shift'],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`for ${n} in '${w}'; do :; done`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}_f() { echo '${w}'; }`],
    (n) => `$(${n}_f)`,
  ),
  by(
    (w, n) => [`${n}_f() { ${n}='${w}'; }`, `${n}_f`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`eval "${n}='${w}'"`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`source <(echo "${n}='${w}'")`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`: "\${${n}:=${w}}"`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`let ${n}=1+1`, `${n}_a=(x y '${w}')`],
    (n) => `\${${n}_a[${n}]}`,
  ),
  by(
    (w, n) => [`${n}='${w}'; unset ${n}_x`],
    (n) => `\${${n}}\${${n}_x}`,
  ),
  by(
    (w, n) => [`case x in x) ${n}='${w}' ;; esac`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`if true; then ${n}='${w}'; fi`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`{ ${n}='${w}'; } 2>/dev/null`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`[[ 'x${w}' =~ ^x(.*)$ ]]`, `${n}=\${BASH_REMATCH[1]}`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}='x ${w}'`, `${n}=\${${n}##* }`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`IFS=, read -r _ ${n} <<< 'x,${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`coproc cat <<< '${w}'`, `${n}='${w}'`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`${n}=x`, `${n}=\${${n}:+'${w}'}`],
    (n) => `$${n}`,
  ),
  by(
    (w, n) => [`(( ${n}_i = 2 ))`, `${n}='..${w}'`],
    (n) => `\${${n}:${n}_i}`,
  ),
];
