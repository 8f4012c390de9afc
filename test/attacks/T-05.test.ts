// T-05: written first, run later in the same call.
import { attacks } from '../support/attack.ts';

attacks('scripts of the moment', [
  ["printf '#!/bin/sh\\nrm -rf ~/work\\n' > /tmp/a.sh && sh /tmp/a.sh", 'deny'],
  ["cat > run.sh <<'EOF'\nrm -rf ~/work\nEOF\nchmod +x run.sh && ./run.sh", 'deny'],
  ["echo 'rm -rf ~/work' | tee x.sh >/dev/null; source x.sh", 'deny'],
  ["cat > run.sh <<'EOF'\nnpm test\nEOF\nbash run.sh", 'allow'],
  ["cat > tests/evil.sh <<'EOF'\nrm -rf ~/work\nEOF\nshellcheck tests/evil.sh", 'allow'],
]);

attacks('scripts that lie there', [
  ['bash clean.sh', 'deny', { world: { files: { 'clean.sh': 'rm -rf ~/work\n' } } }],
  ['npm run clean', 'stop', { world: { files: { 'package.json': '{"scripts":{"clean":"rm -rf ~/work"}}' } } }],
  ['make clean', 'stop', { world: { files: { Makefile: 'clean:\n\trm -rf ~/work\n' } } }],
  ['make clean', 'allow', { world: { files: { Makefile: 'clean:\n\trm -rf build\n' } } }],
  ['npm run clean', 'allow', { world: { files: { 'package.json': '{"scripts":{"clean":"rm -rf dist"}}' } } }],
]);
