#!/usr/bin/env bash
# Real agent clients against a model server on 127.0.0.1. The clients are installed here, apart from the product.
set -euo pipefail
cd "$(dirname "$0")"
if [ ! -d node_modules/@anthropic-ai ] &&
  ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; then
  echo 'e2e: the client package can not be installed here: these tests are left out'
  exit 0
fi
cd ../..
[ -r dist/hook.cjs ] || npm run build
node node_modules/vitest/vitest.mjs run --config test/e2e/vitest.config.ts
