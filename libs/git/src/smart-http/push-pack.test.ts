import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { test } from 'node:test'
import {
  CanceledError,
  ConflictError,
  PermissionDeniedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import type { InjectedAnswer } from '@wadi/testing/git-http-server.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import type { ServedRepositoryOptions } from '@wadi/testing/git-http-server.ts'
import { readRef } from '@wadi/testing/read-ref.ts'
import { buildCommit } from '../commit/build-commit.ts'
import { isAtomicUnsupported, pushRefs } from '../commit/push.ts'
import { openTestMirror } from '../mirror/mirror-fixture.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { pktLine } from './pkt-line.ts'

const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const main = 'refs/heads/main'

function commit(mirror: Mirror, content: string | Buffer, parent?: string): Promise<string> {
  const changes = [{ path: 'manifest.yaml', content }]
  return buildCommit(mirror, { parent, message: 'Write\n', author, committer: author, changes })
}

async function startBed(options?: ServedRepositoryOptions) {
  await using stack = new AsyncDisposableStack()
  const answers: ((url: string) => InjectedAnswer | number | undefined | Promise<undefined>)[] = []
  const server = stack.use(
    await startGitHttpServer({
      onRequest: ({ path: asked, method }) =>
        method === 'POST' && asked.endsWith('git-receive-pack') ? answers.shift()?.(asked) : undefined,
    }),
  )
  const { url, directory } = await server.createRepository('a.git', options)
  const mirror = stack.use(await openTestMirror(path.join(server.root, 'mirror'), url))
  const first = await commit(mirror, '1')
  const push = (
    source: string,
    expected: string | undefined,
    ref = main,
    signal?: AbortSignal,
  ): Promise<void> => pushRefs(mirror, [{ source, ref, expected }], { atomic: true, signal })
  const owned = stack.move()
  return {
    server,
    answers,
    mirror,
    first,
    push,
    head: () => readRef(directory, main),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('once a server is known, a push is one request on a connection that stays open', async () => {
  await using bed = await startBed()
  const { server, mirror, first } = bed
  await bed.push(first, undefined)
  const second = await commit(mirror, '2', first)
  await bed.push(second, first)
  assert.equal(await bed.head(), second)
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'POST', 'POST'],
  )
  assert.equal(server.connections(), 1)
})

test('a push sends what the server lacks alone, for a branch that is new too', async () => {
  await using bed = await startBed()
  const { server, mirror } = bed
  const large = await commit(mirror, randomBytes(300_000))
  await bed.push(large, undefined)
  const changes = [{ path: 'small.yaml', content: 'a: 1\n' }]
  const onTop = await buildCommit(mirror, {
    parent: large,
    message: 'Add\n',
    author,
    committer: author,
    changes,
  })
  await mirror.listRemote()
  await bed.push(onTop, large)
  await bed.push(onTop, undefined, 'refs/heads/other')
  const sizes = server.requests
    .filter(({ method, path: asked }) => method === 'POST' && asked.endsWith('git-receive-pack'))
    .map(({ headers }) => Number(headers['content-length']))
  assert.equal((sizes[0] ?? 0) > 300_000, true)
  assert.deepEqual(
    sizes.slice(1).filter((size) => size > 2_000),
    [],
  )
})

test('a pack that is too large to keep is pushed by git', async () => {
  await using bed = await startBed()
  const source = await commit(bed.mirror, randomBytes(17 * 1024 * 1024))
  await bed.push(source, undefined)
  assert.equal(await bed.head(), source)
  assert.match(bed.server.requests.at(-1)?.headers['user-agent'] ?? '', /^git\/\d/)
})

test('a server whose rights change after it is known is reported as such, and then asked again', async () => {
  await using bed = await startBed()
  const { mirror, first, answers, server } = bed
  await bed.push(first, undefined)
  const second = await commit(mirror, '2', first)
  answers.push(() => 401)
  await assert.rejects(bed.push(second, first), PermissionDeniedError)
  server.requests.length = 0
  await bed.push(second, first)
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'POST'],
  )
})

test('a server that does not understand the push any more is asked what it understands', async () => {
  await using bed = await startBed()
  await bed.push(bed.first, undefined)
  const second = await commit(bed.mirror, '2', bed.first)
  bed.answers.push(() => 400)
  await bed.push(second, bed.first)
  assert.equal(await bed.head(), second)
})

test('a report that is missing, broken or not of this protocol leaves open what happened', async () => {
  await using bed = await startBed()
  const headers = { 'content-type': 'application/x-git-receive-pack-result' }
  const bodies = [
    '',
    'zzzz',
    '0000',
    '00',
    pktLine('\u0001000eunpack ok\n'),
    pktLine('\u0003fatal: no memory\n'),
  ]
  for (const body of bodies) {
    bed.answers.push(() => ({ status: 200, headers, body }))
    await assert.rejects(bed.push(bed.first, undefined), (error: unknown) => {
      assert.ok(error instanceof UnavailableError, JSON.stringify(body))
      return !(error instanceof ConflictError)
    })
  }
  assert.deepEqual(bed.answers, [])
})

test('a push over a kept connection that the server closes unread is sent again', async () => {
  await using bed = await startBed()
  await bed.push(bed.first, undefined)
  const second = await commit(bed.mirror, '2', bed.first)
  bed.answers.push(async () => {
    bed.server.closeConnections()
    return undefined
  })
  await bed.push(second, bed.first)
  assert.equal(await bed.head(), second)
})

test('of two writers who expect the same, one wins and the other has a conflict', async () => {
  await using bed = await startBed()
  await bed.push(bed.first, undefined)
  const [ours, theirs] = [
    await commit(bed.mirror, 'ours', bed.first),
    await commit(bed.mirror, 'theirs', bed.first),
  ]
  const outcomes = await Promise.allSettled([bed.push(ours, bed.first), bed.push(theirs, bed.first)])
  const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.ok(lost?.reason instanceof ConflictError, String(lost?.reason))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('that a server cannot update refs as one is known from then on', async () => {
  await using bed = await startBed({ config: { 'receive.advertiseAtomic': 'false' } })
  await assert.rejects(bed.push(bed.first, undefined), isAtomicUnsupported)
  await pushRefs(bed.mirror, [{ source: bed.first, ref: main, expected: undefined }], { atomic: false })
  assert.equal(await bed.head(), bed.first)
})

test('a caller who gives up ends the push', async () => {
  await using bed = await startBed()
  const controller = new AbortController()
  const gate = Promise.withResolvers<undefined>()
  bed.answers.push(() => {
    controller.abort()
    return gate.promise
  })
  await assert.rejects(bed.push(bed.first, undefined, main, controller.signal), CanceledError)
  gate.resolve(undefined)
})
