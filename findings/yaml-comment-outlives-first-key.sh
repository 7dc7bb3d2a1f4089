#!/bin/sh
# The package yaml 2.9.1 keeps the comment above the first key of a map with the map, and the comment above every other key with that key. When
# the first key is deleted, its comment stays and is read as one about the next key; any other key takes its comment along. It is the same
# with the items of a list. At the top of a file the comment above the first key goes too.
#
# Seen with Node.js 20.20.2 and 26.10.0, for a map with `# about a` above `a: 1` and `# about b` above `b: 2`:
#   map below a key, without a: # about a, # about b, b: 2
#   map below a key, without b: # about a, a: 1
#   list below a key, without a: # about a, # about b, - b: 2
#   file, without a: # about b, b: 2
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact yaml@2.9.1

cat >main.js <<'END_OF_MAIN'
import { parseDocument } from 'yaml'

const without = (text, ...path) => {
  const document = parseDocument(text)
  document.deleteIn(path)
  const lines = document.toString().trim().split('\n')
  return lines.filter((line) => line !== 'below:').map((line) => line.trim()).join(', ')
}
const map = 'below:\n  # about a\n  a: 1\n  # about b\n  b: 2\n'
const list = 'below:\n  # about a\n  - a: 1\n  # about b\n  - b: 2\n'
console.log(`map below a key, without a: ${without(map, 'below', 'a')}`)
console.log(`map below a key, without b: ${without(map, 'below', 'b')}`)
console.log(`list below a key, without a: ${without(list, 'below', 0)}`)
console.log(`file, without a: ${without('# about a\na: 1\n# about b\nb: 2\n', 'a')}`)
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'map below a key, without a: # about a, # about b, b: 2
map below a key, without b: # about a, a: 1
list below a key, without a: # about a, # about b, - b: 2
file, without a: # about b, b: 2' ]
