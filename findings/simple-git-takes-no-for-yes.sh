#!/bin/sh
# simple-git 4.0.2 takes a git that ends with an error code for a success when it wrote nothing to standard error. So every question that git
# answers by its exit code alone has the same answer, an empty text: `merge-base --is-ancestor`, `diff --quiet`, `check-ref-format`. A
# commit with nothing to commit resolves as well, with an empty id.
#
# Seen with git 2.39.5 and Node.js 20.20.2 and 26.10.0, each line an exit code of git and what simple-git makes of it:
#   merge-base --is-ancestor HEAD HEAD~1: 1, resolved ""
#   diff --quiet HEAD~1 HEAD: 1, resolved ""
#   check-ref-format refs/heads/a..b: 1, resolved ""
#   show-ref refs/heads/gone: 1, resolved ""
#   commit --message again: 1, resolved ""
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact simple-git@4.0.2

cat >main.js <<'END_OF_MAIN'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { simpleGit } from 'simple-git'

mkdirSync('repository')
const git = simpleGit('repository')
await git.init().addConfig('user.name', 'Somebody').addConfig('user.email', 'somebody@example.com')
await git.addConfig('commit.gpgSign', 'false')
for (const text of ['one\n', 'two\n']) {
  writeFileSync('repository/file', text)
  await git.add('file').commit(text)
}
const questions = [
  ['merge-base', '--is-ancestor', 'HEAD', 'HEAD~1'],
  ['diff', '--quiet', 'HEAD~1', 'HEAD'],
  ['check-ref-format', 'refs/heads/a..b'],
  ['show-ref', 'refs/heads/gone'],
]
for (const question of questions) {
  const { status } = spawnSync('git', question, { cwd: 'repository' })
  const answer = await git.raw(question).then(JSON.stringify, () => 'an error')
  console.log(`${question.join(' ')}: ${status}, resolved ${answer}`)
}
const { status } = spawnSync('git', ['commit', '--message', 'again'], { cwd: 'repository' })
console.log(`commit --message again: ${status}, resolved ${JSON.stringify((await git.commit('again')).commit)}`)
END_OF_MAIN

seen=$(node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'merge-base --is-ancestor HEAD HEAD~1: 1, resolved ""
diff --quiet HEAD~1 HEAD: 1, resolved ""
check-ref-format refs/heads/a..b: 1, resolved ""
show-ref refs/heads/gone: 1, resolved ""
commit --message again: 1, resolved ""' ]
