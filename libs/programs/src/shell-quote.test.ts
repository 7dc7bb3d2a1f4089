import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { shellCommand, shellHeredoc } from './shell-quote.ts'

test('a shell reads quoted arguments back as they were', () => {
  const args = ['plain', '', "it's", '$(id)', '`id`', 'a b', 'new\nline', '*', '~', '-x', 'a=b', '\\']
  const output = execFileSync('/bin/sh', ['-c', shellCommand(['printf', '%s\\0', ...args])])
  assert.deepEqual(output.toString().split('\0').slice(0, -1), args)
})

test('a heredoc writes the content as it is, even if it holds the delimiter', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'wadi-heredoc-'))
  try {
    const content = 'a: $(id)\nEOF\nb: `x` \\\n'
    execFileSync('/bin/sh', ['-c', shellHeredoc(join(scratch, 'a file'), content)])
    assert.equal(readFileSync(join(scratch, 'a file'), 'utf8'), content)
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
