import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  InspectSourcesRequest,
  InspectSourcesResponseSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { inspect } from '../inspect/inspect.ts'
import { application, startRunFixture } from '../run-fixture.ts'
import { validate } from '../validate/validate.ts'

type Answer = MessageInitShape<typeof InspectSourcesResponseSchema>

const { signal } = new AbortController()
const count = 60
const names = Array.from({ length: count }, (_, index) => `app-${String(index).padStart(2, '0')}`)
const first = names.map((name) => ({ fingerprint: `${name} of the first commit` }))

/** A branch of 60 Applications, whose repo-server answers as a test says. */
async function start(answer: (request: InspectSourcesRequest) => Answer) {
  await using stack = new AsyncDisposableStack()
  const asked: { sources: number; since: string }[] = []
  const fixture = stack.use(
    await startRunFixture({
      repoServer: {
        inspectSources: (request) => {
          asked.push({ sources: request.sources.length, since: request.since })
          return answer(request)
        },
      },
    }),
  )
  await fixture.add(...names.map((name) => application(name)))
  const owned = stack.move()
  return {
    fixture,
    asked,
    /** The inspected fingerprint of each directory at a dry commit, or the errors. */
    async inspected(sha: string, withoutCommands = false): Promise<string[]> {
      const { run, outcome } = await fixture.run({ observed: { drySha: sha.repeat(40) } })
      const valid = await validate(fixture.context, { run, outcome })
      const [group] = valid.groups
      assert.ok(group)
      const wanted = { run: valid, outcome, group, drySha: group.drySha, keepDate: false, withoutCommands }
      const { fingerprints, errors } = await inspect(fixture.context, wanted, signal)
      if (errors.failures.length > 0) return errors.failures.map(({ message }) => message)
      return [...fingerprints].map(([, identity]) => identity.slice(0, identity.lastIndexOf('.')))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('the sources of a large branch are sent once, and then only what changed comes back', async () => {
  await using bed = await start(({ since }) => {
    if (since === '') return { inspections: first, position: 'one' }
    const changes = since === 'one' ? { 7: { fingerprint: 'changed' } } : {}
    return { changes: { inspections: changes }, position: 'two' }
  })
  const changed = first.map(({ fingerprint }, index) => (index === 7 ? 'changed' : fingerprint))
  assert.deepEqual(
    await bed.inspected('1'),
    first.map(({ fingerprint }) => fingerprint),
  )
  assert.deepEqual(await bed.inspected('2'), changed)
  assert.deepEqual(await bed.inspected('3'), changed)
  assert.deepEqual(bed.asked, [
    { sources: count, since: '' },
    { sources: 0, since: 'one' },
    { sources: 0, since: 'two' },
  ])
})

test('a repo-server that was restarted is sent the sources again, and one that knows the list returns everything', async () => {
  let known = new Set<string>()
  await using bed = await start(({ sources, sourcesDigest, sha }) => {
    if (sources.length > 0) known.add(sourcesDigest)
    if (!known.has(sourcesDigest)) return {}
    return { inspections: names.map((name) => ({ fingerprint: `${name} of ${sha[0]}` })), position: 'any' }
  })
  const of = (sha: string): string[] => names.map((name) => `${name} of ${sha}`)
  assert.deepEqual(await bed.inspected('1'), of('1'))
  known = new Set()
  assert.deepEqual(await bed.inspected('2'), of('2'))
  assert.deepEqual(await bed.inspected('3'), of('3'))
  assert.deepEqual(
    bed.asked.map(({ sources }) => sources),
    [count, 0, count, 0],
  )
})

test('a repo-server that keeps nothing is sent the sources each time', async () => {
  await using bed = await start(({ sources }) => ({
    inspections: sources.map(({ path }) => ({ fingerprint: path })),
  }))
  const paths = names.map((name) => `apps/${name}`)
  assert.deepEqual([await bed.inspected('1'), await bed.inspected('2')], [paths, paths])
  assert.deepEqual(
    bed.asked.map(({ sources }) => sources),
    [count, count],
  )
})

test('after a commit that nobody may use, what was known before goes on', async () => {
  await using bed = await start(({ sources, since, sha }) => {
    if (sha.startsWith('2')) return { inspections: sources.map(() => ({ error: 'not signed' })) }
    if (since === '') return { inspections: first, position: 'one' }
    return { changes: { inspections: { 3: { fingerprint: 'changed' } } }, position: 'two' }
  })
  await bed.inspected('1')
  assert.deepEqual(await bed.inspected('2'), Array(count).fill('not signed'))
  const changed = first.map(({ fingerprint }, index) => (index === 3 ? 'changed' : fingerprint))
  assert.deepEqual(await bed.inspected('3'), changed)
  assert.equal(bed.asked.at(-1)?.since, 'one')
})

test('another Application makes another list', async () => {
  const digests = new Set<string>()
  await using bed = await start(({ sources, sourcesDigest }) => {
    digests.add(sourcesDigest)
    return { inspections: sources.map(({ path }) => ({ fingerprint: path })), position: 'one' }
  })
  await bed.inspected('1')
  await bed.fixture.add(application('another'))
  assert.equal((await bed.inspected('1')).length, count + 1)
  await bed.fixture.add(application('with-options', { drySource: { directory: { recurse: true } } }))
  assert.equal((await bed.inspected('1')).length, count + 2)
  assert.equal(digests.size, 3)
})

test('what is inspected without commands is sent and returned whole, and is not what is known of the list', async () => {
  await using bed = await start(({ sources, sourcesDigest, withoutCommands, since }) => {
    if (withoutCommands)
      return { inspections: sources.map(() => ({ fingerprint: `without ${sourcesDigest}` })) }
    return since === '' ? { inspections: first, position: 'one' } : { changes: {}, position: 'two' }
  })
  const known = first.map(({ fingerprint }) => fingerprint)
  assert.deepEqual(await bed.inspected('1'), known)
  assert.deepEqual(await bed.inspected('2', true), Array(count).fill('without '))
  assert.deepEqual(await bed.inspected('1'), known)
  assert.deepEqual(
    bed.asked.map(({ sources }) => sources),
    [count, count, 0],
  )
})
