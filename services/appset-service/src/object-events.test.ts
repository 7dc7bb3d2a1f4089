import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ObjectEvent } from '@wadi/kubernetes/events/event-recorder.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { createAppsetServiceEvents } from './events.ts'
import { withObjectEvents } from './object-events.ts'
import { startReconcileFixture } from './reconcile/reconcile-fixture.ts'

test('a set that nobody applied through Wadi has an Event that says so, and other failures have none', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await store.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { namespace: 'argocd', name: 'set' },
    spec: { generators: [{ list: { elements: [] } }], template: { metadata: { name: 'x' }, spec: {} } },
  })
  const recorded: ObjectEvent[] = []
  const logger = createLogger({ service: 'appset-service', level: 'error', format: 'json' })
  const events = withObjectEvents(createAppsetServiceEvents(logger, createMetrics('appset-service')), {
    record: (event) => void recorded.push(event),
  })
  const pass = await fixture.pass()
  const set = { namespace: 'argocd', name: 'set' }
  events.reconcileFailed(set, pass?.error)
  events.reconcileFailed(set, new InvalidInputError('another'))
  assert.deepEqual(
    recorded.map(({ regarding, reason }) => [regarding.kind, regarding.name, reason]),
    [['ApplicationSet', 'set', 'AuthorMissing']],
  )
})
