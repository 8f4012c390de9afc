/**
 * Tools that print shell text which sets up the shell for them, and the arguments they print it with: manual pages and
 * the tools' own installation notes. What they print is as trusted as the tool itself.
 */
const SETUP: readonly RegExp[] = [
  /^ssh-agent( -[cs])?$/,
  /^(direnv (hook|export)|pyenv (init|virtualenv-init)|rbenv init|nodenv init|jenv init|goenv init|plenv init|phpenv init)\b/,
  /^(fnm env|mise (activate|env|hook-env)|rtx activate|asdf exec direnv hook|volta setup|sdk env|opam (env|config env))\b/,
  /^(\S*\/)?brew shellenv\b/,
  /^(\S*\/)?(conda|mamba|micromamba) shell(\.\w+)? hook\b|^(\S*\/)?conda shell\.\w+ (hook|activate)\b/,
  /^(starship|zoxide|atuin|thefuck|navi|mcfly|oh-my-posh|register-python-argcomplete|dircolors)\b/,
  /^(minikube (-p \S+ )?docker-env|docker-machine env|podman machine env|eksctl completion|resize|lesspipe|tset -s)\b/,
  /^[\w.-]+( [\w-]+)? completions?( (-s )?(bash|zsh|sh))?$/,
  /^[\w.-]+ --completion(-script)?[-= ](bash|zsh)$/,
  /^(luarocks path|cargo env|gopass completion|pip completion|npm completion|keychain( --\S+)*)\b/,
];

/** True if an unknown text is what a tool prints to set up the shell, by the reason of its hole. */
export function isShellSetup(reason: string): boolean {
  const command = /^output of (?:\$|<)\((.*?)\)(?: is not known)?$/s.exec(reason)?.[1]?.trim();
  if (command === undefined) return false;
  const plain = command.replace(/\s*2>\s*(?:\/dev\/null|&1)\s*/g, ' ').trim();
  return !/[;&|<>`$\n]/.test(plain) && SETUP.some((r) => r.test(plain));
}
