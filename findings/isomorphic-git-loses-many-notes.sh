#!/bin/sh
# git divides its notes among directories by the first digits of the commits when there are some hundred of them. isomorphic-git 1.44.19 does
# not know that: readNote() then finds no note, listNotes() counts directories, and addNote() puts a second note beside the first one, so
# that git shows both texts as one. With few notes all of it works, so a tool fails after months on one repository.
#
# Needs git. Seen with git 2.39.5, Node.js 20.20.2 and 26.10.0:
#   5 notes: read "reviewed", listed 5, after addNote git shows "merged"
#   500 notes: read NotFoundError, listed 219, after addNote git shows "reviewed merged"
set -eu

git --version >/dev/null || { echo 'this needs git' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact isomorphic-git@1.44.19
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com

cat >main.js <<'END_OF_MAIN'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { addNote, listNotes, readNote } from 'isomorphic-git'

const [dir] = process.argv.slice(2)
const oid = execFileSync('git', ['-C', dir, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
const read = await readNote({ fs, dir, oid }).then(
  (note) => JSON.stringify(Buffer.from(note).toString().trim()),
  ({ code }) => code,
)
const listed = (await listNotes({ fs, dir })).length
const author = { name: 'Somebody', email: 'somebody@example.com' }
await addNote({ fs, dir, oid, author, note: 'merged', force: true })
const shown = execFileSync('git', ['-C', dir, 'notes', 'show', oid], { encoding: 'utf8' }).trim()
console.log(`read ${read}, listed ${listed}, after addNote git shows ${JSON.stringify(shown.split(/\s+/).join(' '))}`)
END_OF_MAIN

# Makes a repository of so many commits with a note each; their times, and so their ids, are always the same.
notes() {
  git init --quiet "$1"
  cd "$1"
  for number in $(seq "$2"); do
    printf 'commit refs/heads/main\ncommitter Somebody <somebody@example.com> %d +0000\ndata 1\nx' "$((1700000000 + number))"
  done | git fast-import --quiet
  git symbolic-ref HEAD refs/heads/main
  first=$(git rev-list --max-parents=0 HEAD)
  git notes add -m reviewed "$first"
  git rev-list HEAD | grep -v "$first" | sed "s/^/$first /" | git notes copy --stdin
  cd ..
}
notes few 5
notes many 500
few=$(node main.js few)
many=$(node main.js many)
printf '5 notes: %s\n500 notes: %s\n' "$few" "$many"
[ "$few" = 'read "reviewed", listed 5, after addNote git shows "merged"' ]
[ "$many" = 'read NotFoundError, listed 219, after addNote git shows "reviewed merged"' ]
