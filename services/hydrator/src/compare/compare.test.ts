import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { application, type Peers, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { compare, type ComparedRevision } from './compare.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const head = 'a'.repeat(40)
const base = '0'.repeat(40)

/** A hydrator whose repo-server has one source that is what its commit is, and the names of the calls that it got. */
async function startComparing(answers: NonNullable<Peers['repoServer']> = {}, names = ['web']) {
  const calls: string[] = []
  const repoServer: NonNullable<Peers['repoServer']> = {
    resolveRevisions: ({ revisions }) => ({
      revisions: revisions.map((revision) => {
        const sha = revision === 'feature' ? head : base
        return { revision, sha, ref: `refs/heads/${revision}` }
      }),
    }),
    findMergeBase: () => ({ sha: base }),
    readFiles: () => ({ contents: [] }),
    inspectSources: ({ sources, sha }) => {
      calls.push(`inspect ${sha[0]}`)
      return { inspections: sources.map(() => ({ fingerprint: `${sha}-fingerprint` })) }
    },
    async *renderSources({ sha }) {
      calls.push(`render ${sha[0]}`)
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { sha } }
      const record = create(RenderRecordSchema)
      yield {
        index: 0,
        manifests: [JSON.stringify(object)],
        done: true,
        fingerprint: `${sha}-fingerprint`,
        record,
      }
    },
    ...answers,
  }
  const fixture = await startRunFixture({ repoServer })
  await fixture.add(...names.map((name) => application(name)))
  const run = (options: Partial<ComparedRevision> = {}) => {
    const request = { repoUrl: repoURL, revision: 'feature', base: 'main', target: '', applications: [] }
    const progress = { phase: 'resolve', done: 0, total: 0 } as const
    return compare(
      fixture.context,
      { ...request, ...options },
      { ...progress },
      AbortSignal.timeout(hangLimitMs),
    )
  }
  return { calls, run, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('a revision is inspected while its base is looked for, and nothing is rendered before somebody agrees', async () => {
  const found = Promise.withResolvers<void>()
  const agreed = Promise.withResolvers<void>()
  const inspected = Promise.withResolvers<void>()
  await using comparing = await startComparing({
    findMergeBase: async () => {
      await found.promise
      return { sha: base }
    },
    inspectSources: ({ sources, sha }) => {
      comparing.calls.push(`inspect ${sha[0]}`)
      if (comparing.calls.length === 2) inspected.resolve()
      if (sha === head) found.resolve()
      return { inspections: sources.map(() => ({ fingerprint: `${sha}-fingerprint` })) }
    },
  })
  const running = comparing.run({ onResolved: () => agreed.promise })
  await inspected.promise
  assert.deepEqual(
    comparing.calls.toSorted((one, other) => one.localeCompare(other)),
    ['inspect 0', 'inspect a'],
  )
  agreed.resolve()
  const { applications, summary } = await running
  assert.deepEqual(
    comparing.calls.slice(2).toSorted((one, other) => one.localeCompare(other)),
    ['render 0', 'render a'],
  )
  assert.deepEqual([applications.length, summary.rendered, summary.baseSha], [1, 1, base])
})

test('a revision that left its base before the newest commit is compared with the commit where it left', async () => {
  const shared = '7'.repeat(40)
  await using comparing = await startComparing({ findMergeBase: () => ({ sha: shared }) })
  const { applications, summary } = await comparing.run()
  const [object] = applications[0]?.objects ?? []
  assert.match(object?.before ?? '', /sha: "7{40}"/)
  assert.equal(summary.baseSha, shared)
  assert.deepEqual(
    comparing.calls
      .filter((call) => call.startsWith('render'))
      .toSorted((one, other) => one.localeCompare(other)),
    ['render 7', 'render a'],
  )
})

test('the sources of a large branch are sent for its first comparison, and those of some Applications each time', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `app-${index}`)
  const sent: number[] = []
  const inspectSources: NonNullable<Peers['repoServer']>['inspectSources'] = ({ sources, since }) => {
    sent.push(sources.length)
    const changes = since === '' ? {} : { changes: { inspections: {} } }
    return { inspections: sources.map(() => ({ fingerprint: 'same' })), position: 'look', ...changes }
  }
  await using comparing = await startComparing({ inspectSources }, names)
  await comparing.run()
  assert.ok(sent.includes(60))
  sent.length = 0
  const { summary } = await comparing.run()
  assert.deepEqual([Math.max(...sent), summary.applications, summary.changed], [0, 60, 0])
  await comparing.run({ applications: [{ namespace: 'argocd', name: 'app-1' }] })
  assert.equal(Math.max(...sent), 1)
})

test('a comparison ends without a render when its base cannot be found, and when somebody does not agree', async () => {
  await using lost = await startComparing({
    findMergeBase: () => {
      throw toConnectError(new NotFoundError('the histories are gone'))
    },
  })
  await assert.rejects(lost.run(), { name: 'NotFoundError', message: /the histories are gone/ })
  await using refused = await startComparing()
  await assert.rejects(refused.run({ onResolved: () => Promise.reject(new Error('closed')) }), {
    message: 'closed',
  })
  assert.deepEqual(
    [...lost.calls, ...refused.calls].filter((call) => call.startsWith('render')),
    [],
  )
})

test('what is under way ends with a comparison that is given up', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  await using comparing = await startComparing({
    inspectSources: async (_request, { signal }) => {
      begun.resolve(signal)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
      return {}
    },
  })
  const running = comparing.run({
    onResolved: async () => {
      await begun.promise
      throw new Error('closed')
    },
  })
  await assert.rejects(running, { message: 'closed' })
  assert.equal((await begun.promise).aborted, true)
})
