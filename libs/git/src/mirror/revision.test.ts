import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { resolveRevision } from './resolve-revision.ts'
import { assertBranchName, assertRefName, isCommitSha } from './revision.ts'

for (const name of ['main', 'env/prod', 'release-1.2', 'a@b', 'ünïcode', 'heads/main']) {
  test(`${name} is a branch name`, () => assert.doesNotThrow(() => assertBranchName(name)))
}

const refused = [
  '',
  '-f',
  '--upload-pack=x',
  'HEAD',
  'FETCH_HEAD',
  '@',
  'refs/heads/x',
  'refs/notes/x',
  'a..b',
  'a@{1}',
  'a\0b',
  'a\nb',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  'a.lock',
  'a.lock/b',
  'a//b',
  '/a',
  'a/',
  '.a',
  'a/.b',
  'a.',
  'x'.repeat(256),
  'f'.repeat(40),
]
for (const name of refused) {
  test(`${JSON.stringify(name.slice(0, 40))} is not a branch name`, () => {
    assert.throws(() => assertBranchName(name), InvalidInputError)
  })
}

test('a full ref name has a kind and a name', () => {
  assert.doesNotThrow(() => assertRefName('refs/notes/hydrator.metadata'))
  for (const ref of ['main', 'refs/heads', 'refs/heads/', 'refs/heads/a..b', 'refs/heads/refs/x']) {
    assert.throws(() => assertRefName(ref), InvalidInputError)
  }
})

test('a full SHA has 40 or 64 digits', () => {
  assert.equal(isCommitSha('a'.repeat(40)), true)
  assert.equal(isCommitSha('A'.repeat(64)), true)
  assert.equal(isCommitSha('a'.repeat(41)), false)
  assert.equal(isCommitSha('g'.repeat(40)), false)
})

const sha = (digit: string): string => digit.repeat(40)
const refs = new Map([
  ['HEAD', sha('1')],
  ['refs/heads/main', sha('1')],
  ['refs/heads/both', sha('2')],
  ['refs/tags/both', sha('3')],
  ['refs/heads/deadbeef', sha('b')],
  ['refs/tags/v1.2.0', sha('4')],
  ['refs/tags/v1.2.10', sha('5')],
  ['refs/tags/v1.2.10^{}', sha('6')],
  ['refs/tags/v1.3.0-rc.1', sha('7')],
  ['refs/tags/v2.0.0', sha('8')],
  ['refs/tags/v3', sha('9')],
  ['refs/tags/nightly', sha('a')],
])

for (const [revision, expected] of [
  ['HEAD', { sha: sha('1'), ref: 'refs/heads/main' }],
  ['', { sha: sha('1'), ref: 'refs/heads/main' }],
  ['main', { sha: sha('1'), ref: 'refs/heads/main' }],
  ['both', { sha: sha('2'), ref: 'refs/heads/both' }],
  ['refs/tags/both', { sha: sha('3'), ref: 'refs/tags/both' }],
  ['v1.2.10', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['1.2.*', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['1.2.x', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['^1', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['>=1.0.0 <2', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['>=1.0.0, <2', { sha: sha('6'), ref: 'refs/tags/v1.2.10' }],
  ['>=1.3.0-0 <2.0.0', { sha: sha('7'), ref: 'refs/tags/v1.3.0-rc.1' }],
  ['*', { sha: sha('9'), ref: 'refs/tags/v3' }],
  ['^9', undefined],
  ['deadbeef', { sha: sha('b'), ref: 'refs/heads/deadbeef' }],
  ['CAFEBABE', { prefix: 'cafebabe' }],
  ['cafe', undefined],
  [sha('C'), { sha: sha('c') }],
  ['missing', undefined],
  ['main~1', undefined],
] as const) {
  test(`the revision ${JSON.stringify(revision)} resolves to ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(resolveRevision(revision, refs, 'main'), expected)
  })
}

test('a detached HEAD resolves to its commit alone', () => {
  assert.deepEqual(resolveRevision('HEAD', refs), { sha: sha('1') })
})

test('a revision that git could take for an option is refused', () => {
  for (const revision of ['--upload-pack=x', '-1', 'a\nb']) {
    assert.throws(() => resolveRevision(revision, refs), InvalidInputError)
  }
})
