import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import { application, applications } from '../object-fixture.ts'
import { BusyError } from '../client/status-error.ts'
import { EventRecorder, eventResource, type ObjectEvent } from './event-recorder.ts'
import { clusterSuites } from '../cluster-suites-fixture.ts'

test('an event that the API server is too busy for is written once it has time', async () => {
  const written: Resource[] = []
  const answers = [new BusyError('busy', { retryAfterMs: 0 }), new BusyError('busy', { retryAfterMs: 0 })]
  const refused = async () => assert.fail('nothing is counted')
  const create = async (_kind: unknown, event: Resource) => {
    const error = answers.shift()
    if (error) throw error
    written.push(event)
    return event
  }
  await using recorder = new EventRecorder({
    client: { create, get: refused, patch: refused },
    store: { get: async () => application('team', 'web') },
    service: 'hydrator',
    onError: (error) => assert.ok(error instanceof BusyError),
  })
  const regarding = { kind: 'Application', namespace: 'team', name: 'web' }
  recorder.record({
    regarding,
    type: 'Warning',
    reason: 'HydrationFailed',
    action: 'Hydrate',
    note: 'no chart',
  })
  await until(() => written.length === 1)
  assert.equal(written[0]?.['note'], 'no chart')
})

clusterSuites(
  (name) => `Events at the ${name}`,
  (at) => {
    /** A recorder of one of several replicas. */
    function recorderOf(errors: unknown[] = []): EventRecorder {
      const store = {
        get: async (_kind: string, namespace: string, objectName: string) =>
          at.client.get(applications, { namespace, name: objectName }).catch(() => undefined),
      }
      return new EventRecorder({
        client: at.client,
        store,
        service: 'hydrator',
        onError: (error) => void errors.push(error),
      })
    }

    async function createApplication() {
      const namespace = await at.cluster.createNamespace()
      const { metadata } = await at.client.create(applications, application(namespace, 'web'))
      const event: ObjectEvent = {
        regarding: { kind: 'Application', namespace, name: 'web' },
        type: 'Warning',
        reason: 'HydrationFailed',
        action: 'Hydrate',
        note: 'no chart',
      }
      const events = async () => (await at.client.list(eventResource, { namespace })).items
      return { namespace, uid: metadata.uid, event, events }
    }

    const countOf = (event: Resource | undefined) =>
      (event?.['series'] as { count?: number } | undefined)?.count ?? 1

    test('an event is of its object, with the fields that kubectl describe reads', async () => {
      await using recorder = recorderOf()
      const { namespace, uid, event, events } = await createApplication()
      recorder.record({ ...event, note: 'ä'.repeat(600) })
      await until(async () => (await events()).length === 1)
      const [stored] = await events()
      assert.deepEqual(stored?.['regarding'], {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        namespace,
        name: 'web',
        uid,
      })
      const { reason, action, type, note, reportingController } = stored ?? {}
      assert.deepEqual(
        { reason, action, type, reportingController },
        {
          reason: 'HydrationFailed',
          action: 'Hydrate',
          type: 'Warning',
          reportingController: 'wadi.dev/hydrator',
        },
      )
      assert.equal(note, `${'ä'.repeat(510)}…`)
    })

    test('what happens again is counted in the same Event, over replicas and restarts', async () => {
      const { event, events } = await createApplication()
      await using first = recorderOf()
      for (let times = 0; times < 3; times++) first.record(event)
      await until(async () => (await events()).reduce((sum, stored) => sum + countOf(stored), 0) === 3)
      await using second = recorderOf()
      second.record(event)
      await until(async () => countOf((await events())[0]) === 4)
      second.record({ ...event, note: 'another reason' })
      await until(async () => (await events()).length === 2)
    })

    test('an event about an object that is gone is nobody’s, and a burst is written slowly', async () => {
      const errors: unknown[] = []
      await using recorder = recorderOf(errors)
      const { event, events } = await createApplication()
      const started = performance.now()
      recorder.record({ ...event, regarding: { ...event.regarding, name: 'gone' } })
      for (let index = 0; index < 52; index++) recorder.record({ ...event, note: `commit ${index}` })
      await until(async () => (await events()).length === 52)
      assert.ok(performance.now() - started >= 400, 'the events after the first 50 wait')
      assert.deepEqual(errors, [])
    })

    test('what cannot be written, or is too much, is reported and forgotten', async () => {
      const errors: unknown[] = []
      await using recorder = recorderOf(errors)
      const { event } = await createApplication()
      for (let index = 0; index < 1_001; index++) recorder.record({ ...event, note: `commit ${index}` })
      assert.match(String(errors[0]), /more than 1000 Kubernetes Events wait/)
    })
  },
)
