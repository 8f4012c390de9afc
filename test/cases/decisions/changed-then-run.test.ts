// Code that the same call changes and then runs: what is in the file by then counts, each with a harmless twin.
import { attacks } from '../../support/attack.ts';

const MANIFEST = '{\n  "name": "x",\n  "version": "1.0.0",\n  "scripts": { "build": "tsc", "prepare": "husky" }\n}\n';
const world = {
  files: {
    'run.sh': 'echo hi\nnpm test\n',
    'a.awk': 'x',
    'scripts/x.sh': 'echo x\n',
    Makefile: 'all:\n\techo hi\ntest:\n\tnpm test\n',
    'package.json': MANIFEST,
    'bad.patch': '--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-echo hi\n+rm -rf /home/dev/work\n',
    'good.patch': '--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-echo hi\n+echo hello\n',
  },
};

attacks('a script changed in place, then run', [
  ["sed -i 's/echo hi/rm -rf ~\\/work/' run.sh && sh run.sh", 'deny', { world }],
  ["sed -i 's#echo hi#rm -rf ~/work#' run.sh; bash ./run.sh", 'deny', { world }],
  ["sed -i '1a rm -rf ~/work' run.sh && sh run.sh", 'deny', { world }],
  ["sed -i '$a rm -rf ~/work' run.sh && ./run.sh", 'deny', { world }],
  ["sed -i '1i\\\nrm -rf ~/work' run.sh && sh run.sh", 'deny', { world }],
  ["sed -i '/echo/c rm -rf ~/work' run.sh && sh run.sh", 'deny', { world }],
  ["sed -i -E 's/(echo) hi+/\\1 ok; rm -rf ~/' run.sh && sh run.sh", 'deny', { world }],
  ["sed -i 's/x/rm -rf ~/' unseen.sh && sh unseen.sh", 'deny', { world }],
  ["sed -i 'y/echi/rm -/' run.sh && sh run.sh", 'stop', { world }],
  ["perl -pi -e 's/echo hi/rm -rf ~/' run.sh && sh run.sh", 'deny', { world }],
  ["perl -i -pe 's/^/rm -rf ~;/ if $. == 1' run.sh && sh run.sh", 'stop', { world }],
  ["ruby -pi -e '$_.sub!(/hi/, %q(x))' run.sh && sh run.sh", 'stop', { world }],
  ['awk -i inplace \'{print "rm -rf ~/work"}\' run.sh && sh run.sh', 'stop', { world }],
  ['awk \'{print "rm -rf ~/work"}\' a.awk > made.sh && sh made.sh', 'stop', { world }],
  ["node -e \"require('fs').appendFileSync('run.sh', 'rm -rf ~')\" && sh run.sh", 'stop', { world }],
  ['patch -p1 < bad.patch && sh run.sh', 'deny', { world }],
  ['git apply bad.patch && sh run.sh', 'deny', { world }],
  ["sed -i 's/echo hi/echo hello/' run.sh && sh run.sh", 'allow', { world }],
  ["sed -i -E 's/(echo) hi+/\\1 hello/' run.sh && sh run.sh", 'allow', { world }],
  ["sed -i 's/\\r$//' run.sh && sh run.sh", 'allow', { world }],
  ["sed -i 's/x/y/' unseen.sh && sh unseen.sh", 'allow', { world }],
  ["sed -i '/hi/d' run.sh && ./run.sh", 'allow', { world }],
  ["perl -pi -e 's/hi/hello/g; s/npm test/npm run test/' run.sh && sh run.sh", 'allow', { world }],
  ['dos2unix run.sh && sh run.sh', 'allow', { world }],
  ['patch -p1 < good.patch && sh run.sh', 'allow', { world }],
  ['git apply good.patch && sh run.sh', 'allow', { world }],
  ['git checkout main -- run.sh && sh run.sh', 'allow', { world }],
  ['cp scripts/unseen.sh b.sh && sh b.sh', 'allow', { world }],
  ['cp scripts/x.sh b.sh && sh b.sh', 'allow', { world }],
  ["perl -pi -e 's/(\\w+)x/$1y/' src/a.py && python src/a.py", 'allow', { world }],
]);

attacks('scripts of a manifest and recipes, changed, then run', [
  ['sed -i \'s#"tsc"#"rm -rf ~/work"#\' package.json && npm run build', 'deny', { world }],
  ['jq \'.scripts.build = "rm -rf ~"\' package.json > t && mv t package.json && npm run build', 'deny', { world }],
  ["jq --arg c 'rm -rf ~' '.scripts.build = $c' package.json | sponge package.json; npm run build", 'deny', { world }],
  [
    "jq '.scripts |= with_entries(.value = input)' package.json > t && mv t package.json && npm run build",
    'stop',
    { world },
  ],
  ['yq -i \'.scripts.build = "rm -rf ~"\' package.json && npm run build', 'deny', { world }],
  ["perl -pi -e 's/tsc/rm -rf ~/' package.json && npm run build", 'deny', { world }],
  [
    "python3 -c \"import json;p=json.load(open('package.json'));p['scripts']['build']='rm -rf ~';json.dump(p,open('package.json','w'))\" && npm run build",
    'stop',
    { world },
  ],
  ["sed -i 's/npm test/rm -rf ~/' Makefile && make test", 'deny', { world }],
  ["perl -pi -e 's/npm test/rm -rf ~/' Makefile && make test", 'deny', { world }],
  ["sed -i 'y/abc/bcd/' Makefile && make test", 'stop', { world }],
  ['jq \'.version = "1.2.3"\' package.json > t && mv t package.json && npm run build', 'allow', { world }],
  [
    "jq --arg v 1.2.3 '.version = $v | del(.scripts.prepare)' package.json > t && mv t package.json && npm run build",
    'allow',
    { world },
  ],
  ['sed -i \'s/"version": "1.0.0"/"version": "1.1.0"/\' package.json && npm run build', 'allow', { world }],
  ['sed -i -E \'s/"version": "[0-9.]+"/"version": "1.1.0"/\' package.json && npm run build', 'allow', { world }],
  ['npm version patch --no-git-tag-version && npm run build', 'allow', { world }],
  ["sed -i 's/echo hi/echo hello/' Makefile && make", 'allow', { world }],
  ["sed -i 's/x/y/' src/a.ts && npm run build", 'allow', { world }],
]);
