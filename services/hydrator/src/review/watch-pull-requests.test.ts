import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { openRedisMemory } from '@wadi/queue/redis-memory.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { repoURL } from '../run/run-fixture.ts'
import { noForge, pull, settled, sha, startWatch } from './watched-forge-fixture.ts'

const unprocessable = new FailedPreconditionError('422 Unprocessable', { code: 'http-422' })

test('a pull request gets a pending status, then one with a comment, and nothing twice, also not from another process', async () => {
  await using started = await startWatch()
  const { forge, watch, open, states } = started
  await until(() => settled(forge))
  assert.deepEqual(states(), ['pending', 'success'])
  const [, last] = forge.written
  assert.equal(last?.comment?.marker, 'wadi/diff')
  assert.match(last.comment.body, /- Applications: 1 changed/)
  watch.hint(repoURL)
  await until(() => forge.lists === 2)
  await using _ = open()
  await until(() => forge.lists === 3)
  forge.pulls = [pull({ number: '8', headSha: sha('b') })]
  watch.hint(repoURL)
  await until(() => settled(forge, sha('b')))
  assert.deepEqual(states(), ['pending', 'success', 'pending', 'success'])
})

test('a head that was replaced, and a pull request that was closed, get no answer', async () => {
  await using started = await startWatch()
  const { forge, watch } = started
  await until(() => settled(forge))
  const before = forge.written.length
  forge.pulls = [pull({ headSha: sha('b') }), pull({ number: '8', headSha: sha('b') })]
  forge.pullsNow = [pull({ headSha: sha('c') })]
  watch.hint(repoURL)
  await until(() => forge.lists === 2)
  forge.pulls = forge.pullsNow
  watch.hint(repoURL)
  await until(() => settled(forge, sha('c')))
  assert.deepEqual(
    forge.written.slice(before).map(({ headSha }) => headSha),
    [sha('c'), sha('c')],
  )
})

test('a rate limit pauses, and what it kept from being said is said after it', async () => {
  const limit = () => new RateLimitError('asked too much', { retryAt: Date.now() + 1_000 })
  await using started = await startWatch({ failures: { list: [limit()], put: [limit()] } })
  const { forge, states } = started
  await until(() => settled(forge))
  assert.equal(forge.lists, 3)
  assert.deepEqual(states(), ['pending', 'success'])
})

test('a rate limit that lasts over a restart is met again by the next process, which goes on after it', async () => {
  const limit = (ms: number) => new RateLimitError('asked too much', { retryAt: Date.now() + ms })
  await using started = await startWatch({ failures: { list: [], put: [limit(3_600_000)] } })
  const { forge, watch, open, states } = started
  await until(() => forge.failures.put.length === 0)
  await watch[Symbol.asyncDispose]()
  assert.deepEqual(states(), [])
  forge.failures.put = [limit(1_000)]
  await using _ = open()
  await until(() => settled(forge))
  assert.deepEqual(states(), ['pending', 'success'])
})

test('what rests after an error is looked at again when credentials may have changed', async () => {
  const failure = new FailedPreconditionError('no', { code: 'http-403' })
  await using started = await startWatch({ failures: { list: [], put: [failure] } })
  const { forge, watch } = started
  await until(() => forge.failures.put.length === 0)
  for (let lists = 2; !settled(forge); lists++) {
    watch.lookAtAll()
    await until(() => forge.lists >= lists)
  }
})

const skip = (await redisAvailable()) ? false : 'needs Docker or redis-server'

test('of several hydrators one reviews a head', { skip }, async () => {
  await using redis = await startRedisServer()
  await using first = openRedisMemory({ url: redis.url })
  await using second = openRedisMemory({ url: redis.url })
  for (const memory of [first, second]) {
    await until(async () => {
      await memory.remember('connected', Buffer.from('x'))
      return (await memory.recall('connected')) !== undefined
    })
  }
  const mayWrite = Promise.withResolvers<void>()
  await using started = await startWatch({ mayWrite: mayWrite.promise }, '', first)
  const { forge, open, states } = started
  await until(() => forge.lists === 1)
  await using other = open(second)
  for (const lists of [2, 3]) {
    other.lookAtAll()
    await until(() => forge.lists === lists)
  }
  mayWrite.resolve()
  await until(() => settled(forge))
  other.lookAtAll()
  await until(() => forge.lists === 4)
  assert.deepEqual(states(), ['pending', 'success'])
})

test('a forge that lets Wadi not comment gets the status with the result, which says so', async () => {
  const refused = new FailedPreconditionError('403 Forbidden', { code: 'http-403' })
  await using started = await startWatch({ rejectsComments: refused })
  const { forge } = started
  await until(() => settled(forge))
  assert.deepEqual(
    forge.written.map(({ status, comment }) => [status?.state, comment]),
    [
      ['pending', undefined],
      ['success', undefined],
    ],
  )
  assert.match(forge.written.at(-1)?.status?.description ?? '', /; the forge refuses the comment$/)
})

test('a forge that rejects the comment gets the status alone', async () => {
  await using started = await startWatch({ rejectsComments: unprocessable })
  const { forge } = started
  await until(() => settled(forge))
  assert.deepEqual(
    forge.written.map(({ status, comment }) => [status?.state, comment]),
    [
      ['pending', undefined],
      ['success', undefined],
    ],
  )
})

for (const [name, code] of [
  ['forbids', 'http-403'],
  ['does not understand', undefined],
] as const) {
  test(`a forge that ${name} it is asked no more for this head, and has nothing rendered`, async () => {
    const failure = () => new FailedPreconditionError('no', { code })
    await using started = await startWatch({ failures: { list: [], put: [failure(), failure(), failure()] } })
    const { forge, watch } = started
    await until(() => forge.failures.put.length < 3)
    watch.hint(repoURL)
    await until(() => forge.lists === 2)
    forge.pulls = [pull({ headSha: sha('e') })]
    forge.failures.put = []
    watch.hint(repoURL)
    await until(() => settled(forge, sha('e')))
    assert.deepEqual(new Set(forge.written.map(({ headSha }) => headSha)), new Set([sha('e')]))
  })
}

test('a head that cannot be fetched is an error status, and no comment', async () => {
  await using started = await startWatch({}, sha('a'))
  const { forge } = started
  await until(() => settled(forge))
  assert.equal(forge.written.length, 1)
  const [{ status, comment } = assert.fail()] = forge.written
  assert.equal(status?.state, 'error')
  assert.match(status.description, /^the head cannot be compared: revision "a{40}" does not exist/)
  assert.equal(comment, undefined)
})

test('a repository without a forge, and a pull request to a branch that no Application follows, get nothing', async () => {
  await using started = await startWatch({ failures: { list: [noForge], put: [] } })
  const { forge, watch } = started
  await until(() => forge.lists === 1)
  const other = pull({ number: '9', headSha: sha('9'), baseBranch: sha('f') })
  forge.pulls = [other, pull()]
  watch.hint(repoURL)
  await until(() => settled(forge))
  assert.deepEqual(
    forge.written.map(({ number }) => number),
    ['7', '7'],
  )
})
