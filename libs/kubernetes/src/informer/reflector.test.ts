import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NotFoundError, PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { type KubernetesApi, startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { BusyError, isExpired } from '../client/status-error.ts'
import { application, applications } from '../object-fixture.ts'
import { Informer } from './informer.ts'

/** A stand-in with Applications a, b and c, and an informer of them. */
async function followed({ crds = true, prepare = (_api: KubernetesApi) => {} } = {}) {
  const api = await startKubernetesApi()
  if (crds) {
    await api.applyCrds(...crdFiles)
    for (const name of ['a', 'b', 'c']) api.put(application('argocd', name))
  }
  prepare(api)
  const client = new KubernetesClient(api.config)
  const errors: unknown[] = []
  const changes: string[] = []
  const informer = new Informer<string>({
    client,
    resource: applications,
    namespaces: ['argocd'],
    project: ({ metadata }) => metadata.annotations?.['at'] ?? '',
    onError: (error) => errors.push(error),
  })
  informer.onChange(({ type, key }) => changes.push(`${type} ${key.name}`))
  return {
    api,
    client,
    informer,
    errors,
    changes,
    /** The number of lists or watches that the API was asked for. */
    asked: (verb: 'list' | 'watch') =>
      api.requests.filter((request) => request === `${verb} applications`).length,
    change: (name: string, at: string) => api.put(application('argocd', name, { annotations: { at } })),
    [Symbol.asyncDispose]: async () => {
      await informer[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

const listed = ['added a', 'added b', 'added c']

suite('a reflector', () => {
  test('lists by a watch, without a request for a list', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    assert.deepEqual(bed.changes, listed)
    assert.deepEqual([bed.asked('list'), bed.asked('watch')], [0, 1])
  })

  test('lists in pages where the server cannot stream a list', async () => {
    await using bed = await followed({
      prepare: (api) => {
        api.canStreamLists = false
        for (let n = 0; n < 600; n++) api.put(application('argocd', `many-${n}`))
      },
    })
    await bed.informer.synced()
    assert.equal(bed.informer.list().length, 603)
    await until(() => bed.api.watches === 1)
    assert.deepEqual([bed.asked('list'), bed.asked('watch')], [2, 2])
    assert.deepEqual(bed.errors, [])
    bed.change('a', '1')
    await until(() => bed.changes.at(-1) === 'updated a')
  })

  test('lists everything at once when the pages expire', async () => {
    await using bed = await followed({
      prepare: (api) => {
        api.canStreamLists = false
        for (let n = 0; n < 600; n++) api.put(application('argocd', `many-${n}`))
        // The history is forgotten between the first page and the second.
        api.onRequest = () => {
          if (api.requests.filter((request) => request === 'list applications').length === 2) api.compact()
        }
      },
    })
    await bed.informer.synced()
    assert.equal(bed.informer.list().length, 603)
    assert.deepEqual([bed.asked('list'), bed.errors.map(isExpired)], [3, [true]])
  })

  test('goes on where the server ended a watch, on the same connection and without a list', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    bed.change('a', '1')
    await until(() => bed.changes.length === 4)
    bed.api.endWatches()
    bed.change('b', '1')
    await until(() => bed.changes.length === 5)
    assert.deepEqual(bed.changes, [...listed, 'updated a', 'updated b'])
    assert.deepEqual([bed.asked('list'), bed.asked('watch'), bed.api.relay.accepted], [0, 2, 1])
    assert.deepEqual(bed.errors, [])
  })

  test('keeps its watch while the server moves other requests to a new connection', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    await until(() => bed.api.watches === 1)
    bed.api.sayGoodbye()
    const list = () => bed.client.list(applications, { namespace: 'argocd' })
    await until(async () => (await list()).items.length === 3 && bed.api.relay.accepted === 2)
    bed.change('a', '1')
    await until(() => bed.changes.length === 4)
    assert.deepEqual([bed.asked('watch'), bed.errors, bed.api.relay.connections], [1, [], 2])
  })

  test('gives a watch up that is silent for longer than the server may keep it', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    await using bed = await followed()
    await bed.informer.synced()
    const minutes = 11
    context.mock.timers.tick(minutes * 60_000)
    context.mock.timers.reset()
    await until(() => bed.errors.length === 1)
    assert.match(String(bed.errors[0]), /the time for a watch of applications ran out$/)
    bed.change('a', '1')
    await until(() => bed.changes.length === 4)
    assert.deepEqual([bed.asked('watch'), bed.asked('list'), bed.changes.at(-1)], [2, 0, 'updated a'])
  })

  test('a bookmark moves on from where a watch of a quiet kind goes on', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    await until(() => bed.api.watches === 1)
    bed.api.compact()
    bed.api.bookmark()
    bed.api.endWatches()
    await until(() => bed.asked('watch') === 2)
    bed.change('b', '1')
    await until(() => bed.changes.length === 4)
    assert.deepEqual(bed.errors, [])
  })

  test('a history that is gone costs one list, and only differences are reported', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    bed.api.relay.refuse()
    await until(() => bed.errors.length > 0)
    bed.change('a', '1')
    bed.api.remove(application('argocd', 'b'))
    bed.api.put(application('argocd', 'd'))
    bed.api.compact()
    bed.api.relay.accept()
    await until(() => bed.changes.length === 6)
    assert.deepEqual(bed.changes, [...listed, 'updated a', 'added d', 'deleted b'])
    assert.ok(bed.errors.some(isExpired))
    assert.equal(bed.asked('list'), 0)
  })

  test('waits as long as a busy server asks, and goes on', async () => {
    await using bed = await followed({ prepare: (api) => api.admission.beBusy(1, 1) })
    const begun = performance.now()
    await bed.informer.synced()
    assert.ok(performance.now() - begun >= 990)
    assert.deepEqual(
      bed.errors.map((error) => error instanceof BusyError && error.retryAfterMs),
      [1000],
    )
  })

  test('says what it lacks, and begins when it is there', async () => {
    await using bed = await followed({ crds: false })
    await until(() => bed.errors.length === 2)
    const { isSynced, error } = bed.informer.trouble
    assert.ok(!isSynced && error instanceof NotFoundError && error.code === 'unknown-kind')
    await bed.api.applyCrds(...crdFiles)
    bed.api.admission.forbid('applications')
    await until(() => bed.informer.trouble.error instanceof PermissionDeniedError)
    assert.match(
      String(bed.informer.trouble.error),
      /cannot watch resource "applications" in API group "argoproj\.io" in the namespace "argocd"; bind a role that allows it$/,
    )
    bed.api.admission.allow('applications')
    await bed.informer.synced()
    assert.deepEqual(bed.informer.trouble, { isSynced: true, error: undefined })
  })

  test('an address where nobody listens is tried again', async () => {
    await using bed = await followed({ prepare: (api) => api.relay.refuse() })
    await until(() => bed.errors.length === 2)
    assert.ok(bed.errors.every((error) => error instanceof UnavailableError))
    bed.api.relay.accept()
    await bed.informer.synced()
    assert.deepEqual(bed.changes, listed)
  })

  test('what a handler throws is reported, and the other handlers and changes go on', async () => {
    await using bed = await followed()
    await bed.informer.synced()
    const seen: string[] = []
    const stop = bed.informer.onChange(({ type, key }) => {
      seen.push(`${type} ${key.name}`)
      if (key.name === 'b') throw new RangeError('handler')
    })
    bed.change('b', '1')
    bed.change('c', '1')
    await until(() => bed.changes.length === 5)
    assert.deepEqual(seen, [...listed, 'updated b', 'updated c'])
    assert.deepEqual(bed.errors, [new RangeError('handler'), new RangeError('handler')])
    stop()
    bed.change('a', '1')
    await until(() => bed.changes.length === 6)
    assert.equal(seen.length, 5)
  })

  test('an informer that is closed before its first list ends those who wait', async () => {
    const bed = await followed({ prepare: (api) => api.relay.freeze() })
    const waiting = assert.rejects(bed.informer.synced(), {
      name: 'CanceledError',
      message: 'the first list of applications was canceled',
    })
    const [aborted] = await Promise.allSettled([bed.informer.synced(AbortSignal.abort(new Error('enough')))])
    assert.equal(aborted.status, 'rejected')
    await bed[Symbol.asyncDispose]()
    await waiting
  })
})
