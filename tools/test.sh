#!/bin/sh
# `npm test`: brings what the tests need, as far as it can be brought, then runs them.
set -eu

cd -- "$(dirname -- "$0")/.."
sh tools/install.sh
sh tools/install-test-peers.sh
exec node_modules/.bin/node tools/run-tests.ts "$@"
