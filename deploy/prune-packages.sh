#!/bin/sh
# Removes from the packages in a node_modules directory what Node.js never loads; licenses stay.
set -eu
cd "$1"

find . -type f ! -name '*.js' ! -name '*.cjs' ! -name '*.mjs' ! -name '*.json' ! -name '*.lua' \
  ! -name layer.zip ! -path '*.glibc.node' ! -iname '*licen[cs]e*' ! -iname 'notice*' -delete
find . -depth -type d \( -name test -o -name tests -o -name benchmarks -o -name prebuilds \
  -o -name .claude -o -name amd -o -name browser -o -name cjs-browser -o -name global -o -name umd \) -exec rm -r {} +
# What `exports` and `main` of these packages do not choose for an import.
rm -r bullmq/dist/esm @bufbuild/protobuf/dist/cjs @connectrpc/*/dist/cjs
find . -depth -type d -empty -delete
