import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitbucketCloudHeads, bitbucketServerHeads, refAndAfter } from './payload-heads.ts'

const sha = 'a'.repeat(40)

test('what is not a branch with a new commit is left out', () => {
  const pairs: [unknown, unknown][] = [
    ['refs/tags/v1', sha],
    ['refs/heads/gone', '0'.repeat(40)],
    ['refs/heads/main', 'main'],
    ['refs/heads/a b', sha],
    ['refs/heads/-option', sha],
    ['main', sha],
    [undefined, sha],
    [['refs/heads/main'], sha],
    ['refs/heads/main', { sha }],
  ]
  for (const [ref, after] of pairs) assert.deepEqual(refAndAfter({ ref, after }), [])
  for (const payload of [null, 'text', [], {}]) assert.deepEqual(refAndAfter(payload), [])
})

test('of several branches all are found, up to a limit', () => {
  const changes = Array.from({ length: 20 }, (_, index) => ({
    ref: { id: `refs/heads/b${index}` },
    toHash: sha,
  }))
  const heads = bitbucketServerHeads({ changes })
  assert.equal(heads.length, 16)
  assert.deepEqual(heads[1], { branch: 'b1', sha })
})

test('a tag and a removed branch of Bitbucket Cloud are left out', () => {
  const target = { hash: sha }
  const changes = [{ new: { type: 'tag', name: 'v1', target } }, { new: null }, 'text']
  assert.deepEqual(bitbucketCloudHeads({ push: { changes } }), [])
  assert.deepEqual(bitbucketCloudHeads({ push: { changes: { new: target } } }), [])
})
