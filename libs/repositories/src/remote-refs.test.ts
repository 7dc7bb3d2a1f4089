import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { openTestMirror } from '@wadi/git/mirror/mirror-fixture.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { RemoteRefsCache } from './remote-refs.ts'

interface Bed extends AsyncDisposable {
  mirror: Mirror
  server: GitHttpServer
  /** Questions that reached the server. */
  asked(): number
  /** Holds answers back until it is called; a status fails them. */
  hold(): (status?: number) => void
  /** Resolves when a question is held. */
  held(): Promise<void>
}

async function startBed(): Promise<Bed> {
  let gate: Promise<number | undefined> | undefined
  let arrived = Promise.withResolvers<void>()
  const server = await startGitHttpServer({
    onRequest: async ({ method }) => {
      if (method !== 'GET') return undefined
      arrived.resolve()
      return gate
    },
  })
  const { url } = await server.createRepository('dry.git')
  // git asks with one GET for each question, which the built-in client does not.
  const mirror = await openTestMirror(path.join(server.root, 'mirror'), url, undefined, 'git')
  return {
    mirror,
    server,
    asked: () => server.requests.filter((request) => request.method === 'GET').length,
    hold: () => {
      const held = Promise.withResolvers<number | undefined>()
      arrived = Promise.withResolvers()
      gate = held.promise
      return (status) => {
        gate = undefined
        held.resolve(status)
      }
    },
    held: () => arrived.promise,
    async [Symbol.asyncDispose]() {
      await mirror[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

const anHour = 3_600_000

test('an answer is good for callers that do not need it fresh until it is too old', async () => {
  await using bed = await startBed()
  const patient = new RemoteRefsCache(anHour)
  const first = await patient.read(bed.mirror, { fresh: false })
  assert.equal(await patient.read(bed.mirror, { fresh: false }), first)
  assert.equal(bed.asked(), 1)
  const impatient = new RemoteRefsCache(0)
  await impatient.read(bed.mirror, { fresh: false })
  await impatient.read(bed.mirror, { fresh: false })
  assert.equal(bed.asked(), 3)
})

test('a caller that wants it fresh gets a new answer, which the others share from then on', async () => {
  await using bed = await startBed()
  const cache = new RemoteRefsCache(anHour)
  const first = await cache.read(bed.mirror, { fresh: false })
  const second = await cache.read(bed.mirror, { fresh: true })
  assert.notEqual(second, first)
  assert.equal(await cache.read(bed.mirror, { fresh: false }), second)
  assert.equal(bed.asked(), 2)
})

test('callers that come during a question share the next one, which is asked after they came', async () => {
  await using bed = await startBed()
  const cache = new RemoteRefsCache(anHour)
  const release = bed.hold()
  const first = cache.read(bed.mirror, { fresh: true })
  await bed.held()
  const later = [1, 2, 3].map(() => cache.read(bed.mirror, { fresh: true }))
  assert.equal(bed.asked(), 1)
  release()
  const answers = new Set(await Promise.all(later))
  assert.equal(answers.size, 1)
  assert.equal(answers.has(await first), false)
  assert.equal(bed.asked(), 2)
})

test('a caller that does not need it fresh joins the question under way', async () => {
  await using bed = await startBed()
  const cache = new RemoteRefsCache(anHour)
  const release = bed.hold()
  const first = cache.read(bed.mirror, { fresh: true })
  await bed.held()
  const joined = cache.read(bed.mirror, { fresh: false })
  release()
  assert.equal(await joined, await first)
  assert.equal(bed.asked(), 1)
})

test('a remote that does not answer costs those who wait one question; a probe asks again and finds it back', async () => {
  await using bed = await startBed()
  const observed: string[] = []
  const cache = new RemoteRefsCache(anHour, {
    unreachable: (_repository, message) => observed.push(message),
    reachable: () => observed.push('back'),
  })
  const release = bed.hold()
  const first = cache.read(bed.mirror, { fresh: false })
  await bed.held()
  const waiting = Array.from({ length: 20 }, () => cache.read(bed.mirror, { fresh: true }))
  release(503)
  await assert.rejects(first, UnavailableError)
  for (const each of waiting) await assert.rejects(each, UnavailableError)
  assert.equal(bed.asked(), 1)
  assert.equal((await cache.read(bed.mirror, { fresh: true, probe: true })).refs.size, 0)
  assert.equal((await cache.read(bed.mirror, { fresh: true })).refs.size, 0)
  assert.match(observed[0] ?? '', /cannot be reached/)
  assert.deepEqual(observed.slice(1), ['back'])
})

test('a rejection is not an outage: the next caller asks again', async () => {
  await using bed = await startBed()
  const cache = new RemoteRefsCache(anHour)
  const release = bed.hold()
  const first = cache.read(bed.mirror, { fresh: true })
  await bed.held()
  release(403)
  await assert.rejects(first, { name: 'PermissionDeniedError' })
  assert.equal((await cache.read(bed.mirror, { fresh: true })).refs.size, 0)
})

test('repositories have answers of their own', async () => {
  await using bed = await startBed()
  await using other = await startBed()
  const cache = new RemoteRefsCache(anHour)
  const answers = await Promise.all([
    cache.read(bed.mirror, { fresh: false }),
    cache.read(other.mirror, { fresh: false }),
  ])
  assert.notEqual(answers[0], answers[1])
  assert.deepEqual([bed.asked(), other.asked()], [1, 1])
})

test('who asks at once waits for nobody to share the question', async ({ mock }) => {
  await using bed = await startBed()
  const cache = new RemoteRefsCache(anHour)
  // Here no moment passes.
  mock.timers.enable({ apis: ['setTimeout'] })
  await cache.read(bed.mirror, { fresh: true, atOnce: true })
  assert.equal(bed.asked(), 1)
  const patient = cache.read(bed.mirror, { fresh: true })
  await cache.read(bed.mirror, { fresh: false })
  assert.equal(bed.asked(), 1)
  mock.timers.tick(8)
  await patient
  assert.equal(bed.asked(), 2)
})
