// Ways to a secret that are easily overlooked, each with a harmless twin.
import { attacks } from '../../support/attack.ts';

const world = {
  files: {
    '.env': 'KEY=1\n',
    'list.txt': 'README.md\n',
    '.npmrc': '//registry.npmjs.org/:_authToken=npm_abc\n',
    'web/.npmrc': '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n',
  },
};

attacks('the environment', [
  ['ps eww', 'stop'],
  ['ps auxe', 'stop'],
  ["awk 'BEGIN{for(k in ENVIRON) print k,ENVIRON[k]}'", 'stop'],
  ['awk \'BEGIN{print ENVIRON["GITHUB_TOKEN"]}\'', 'stop'],
  ["envsubst <<< '$GITHUB_TOKEN'", 'stop'],
  ['systemctl --user show-environment', 'stop'],
  ['tmux show-environment -g', 'stop'],
  ["docker inspect c --format '{{.Config.Env}}'", 'stop'],
  ['ps aux', 'allow'],
  ['ps -ef', 'allow'],
  ['ps -eo pid,cmd', 'allow'],
  ['awk \'BEGIN{print ENVIRON["HOME"]}\'', 'allow'],
  ["envsubst <<< '$HOME'", 'allow'],
  ["docker inspect c --format '{{.State.Status}}'", 'allow'],
]);

attacks('files that a program reads for itself', [
  ['file -f .env', 'stop', { world }],
  ['du --files0-from=.env', 'stop', { world }],
  ['cmp -l .env README.md', 'stop', { world }],
  ['ss -a -F .env', 'stop', { world }],
  ['bc .env', 'stop', { world }],
  ['sh .env', 'stop', { world }],
  ['cat <> .env', 'stop', { world }],
  ['tmux load-buffer .env', 'stop', { world }],
  ['file -f list.txt', 'allow', { world }],
  ['cmp .env .env.bak', 'allow', { world }],
  ['sha256sum .env', 'allow', { world }],
]);

attacks('keepers and log-ins', [
  ['getent shadow', 'stop'],
  ['gpg -d secrets.gpg', 'stop'],
  ['sops secrets.yaml', 'stop'],
  ['docker-credential-desktop list', 'stop'],
  ['netlify env:list', 'stop'],
  ['git config --get-all http.extraheader', 'stop'],
  ['cat ~/.m2/settings-security.xml', 'stop'],
  ['cat .npmrc', 'stop', { world }],
  ['cat web/.npmrc', 'allow', { world }],
  ['getent passwd dev', 'allow'],
  ['gpg --verify x.sig', 'allow'],
  ['git config --get user.name', 'allow'],
]);
