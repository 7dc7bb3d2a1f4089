import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { isBranchName } from './branch-name.ts'

const gitTakes = (name: string) => {
  try {
    execFileSync('git', ['check-ref-format', `refs/heads/${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const names = [
  'main',
  'env/dev',
  'a.b',
  'a-b',
  'ü',
  'a@b',
  'a.lockx',
  'x/@',
  'feature/#1',
  "it's",
  '',
  'a..b',
  'a b',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a.lock',
  'a.lock/b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a@{b',
  'a\tb',
  'a\nb',
  'a\u007fb',
]

test('a name is taken exactly when git takes it', () => {
  assert.deepEqual(names.filter(isBranchName), names.filter(gitTakes))
})

test('names that tools take for something else are refused though git takes them', () => {
  for (const name of ['-f', '--upload-pack=x', 'HEAD', '@', 'refs/notes/x', 'x'.repeat(256)]) {
    assert.equal(isBranchName(name), false, name)
  }
})
