#!/bin/sh
# `npm run build:site`: builds the documentation into dist/site. Arguments go to VitePress, such as `--base /wadi/`. Its packages have a lock of
# their own, so that only who builds the site installs them.
set -eu

cd -- "$(dirname -- "$0")/.."
sh tools/install.sh
export PATH="$PWD/node_modules/.bin:$PATH"
[ site/node_modules/.package-lock.json -nt site/package-lock.json ] || npm ci --prefix site --ignore-scripts --loglevel=error
tsc --noEmit --project site
node site/write-rpc-pages.ts
exec node site/node_modules/vitepress/bin/vitepress.js build site "$@"
