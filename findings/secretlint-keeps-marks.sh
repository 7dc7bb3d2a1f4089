#!/bin/sh
# @secretlint/core 13.1.0 with its recommended rules keeps 62 entries of the performance timeline for every text that it checks, for as
# long as the process lives: its profiler is on by default. A service that checks texts all day grows with each of them.
#
# Seen with Node.js 20.20.2 and 26.10.0: 62 marks after one text, 6200 after a hundred; 0 and 0 with the profiler off.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --save-exact \
  @secretlint/core@13.1.0 @secretlint/profiler@13.1.0 @secretlint/secretlint-rule-preset-recommend@13.1.0

cat >check.js <<'END'
import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'

if (process.argv[2] === 'off') secretLintProfiler.setEnabled(false)
const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }]
const check = () =>
  lintSource({
    source: { content: 'a line of text', filePath: 'notes.txt', ext: '.txt', contentType: 'text' },
    options: { config: { rules } },
  })
const marks = () => performance.getEntriesByType('mark').length
await check()
const afterOne = marks()
for (let texts = 1; texts < 100; texts++) await check()
console.log(`${afterOne} ${marks()}`)
END

on=$(node check.js on)
off=$(node check.js off)
printf 'marks after 1 and 100 texts: %s; with the profiler off: %s\n' "$on" "$off"
[ "$on" = '62 6200' ] && [ "$off" = '0 0' ]
