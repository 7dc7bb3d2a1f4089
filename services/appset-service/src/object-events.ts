import { DomainError } from '@wadi/errors/domain-error.ts'
import type { EventRecorder } from '@wadi/kubernetes/events/event-recorder.ts'
import { authorMissing } from './access/author.ts'
import type { AppsetServiceEvents } from './events.ts'

/** Adds Kubernetes Events of what the owner of an ApplicationSet has to do. */
export function withObjectEvents(
  events: AppsetServiceEvents,
  recorder: Pick<EventRecorder, 'record'>,
): AppsetServiceEvents {
  return {
    ...events,
    reconcileFailed(set, error) {
      events.reconcileFailed(set, error)
      if (!(error instanceof DomainError) || error.code !== authorMissing) return
      recorder.record({
        regarding: { kind: 'ApplicationSet', namespace: set.namespace, name: set.name },
        type: 'Warning',
        reason: 'AuthorMissing',
        action: 'Reconcile',
        note:
          'nobody is known in whose name Applications are made, since the set was not applied through Wadi; ' +
          'apply it with "wadi appset apply"',
      })
    },
  }
}
