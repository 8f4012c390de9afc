import { versionManagers } from '../../../src/programs/version-managers.ts';
import { type Row, runTable } from './run-model.ts';

const VERSION_MANAGERS: readonly Row[] = [
  ['mise exec node@22 -- rm -rf x', ['run: rm -rf x']],
  ['mise x rm y', ['run: rm y']],
  ['mise use -g node@22', ['write /home/dev/.config/mise/config.toml', 'install-global node@22']],
  ['mise install', ['install-global tools of the project']],
  ['asdf exec rm x', ['run: rm x']],
  ['asdf install nodejs 20', ['install-global asdf nodejs 20']],
  ['pyenv exec python -V', ['run: python -V']],
  ['rbenv install 3.3', ['install-global rbenv 3.3']],
  ['nvm exec 18 rm x', ['run: rm x']],
  ['nvm install 20', ['install-global nvm 20']],
  ['nvm use 20', []],
  ['fnm exec --using=20 rm x', ['run: rm x']],
  ['volta run --node 18 rm x', ['run: rm x']],
  ['direnv exec . rm x', ['sh ? file: .envrc', 'run: rm x']],
  ['direnv allow', ['persistence .envrc', 'sh ? file: .envrc']],
  ['nix-shell -p hello --run "rm x"', ['sh: rm x']],
  ['nix develop -c rm x', ['run: rm x']],
  ['nix run nixpkgs#hello -- a', ['run: hello a']],
  ['nix run github:evil/x', ['exec-remote github:evil/x']],
  ['nix profile install nixpkgs#x', ['install-global nixpkgs#x']],
  ['devbox run build', ['sh: build']],
  ['flox activate -- rm x', ['run: rm x']],
];

runTable('version-managers', versionManagers, VERSION_MANAGERS);
