import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  type ObjectChange,
  type ObjectPlace,
  ObjectPlaceSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { identityKey } from '../objects/compare-manifests.ts'

interface Placed {
  readonly application: ApplicationChanges
  readonly object: ObjectChange
}

/**
 * Marks the objects that one Application no longer has and another one on the same cluster has now: the new one is `moved`
 * and shows the old text, the old one stays `removed` and says where to. Applications that share a directory count as one.
 */
export function markMoves(applications: readonly ApplicationChanges[]): void {
  const removed = new Map<string, Placed[]>()
  for (const placed of objectsThat(applications, 'removed')) {
    removed.getOrInsertComputed(keyOf(placed), () => []).push(placed)
  }
  if (removed.size === 0) return
  for (const created of objectsThat(applications, 'created')) {
    const candidates = removed.get(keyOf(created)) ?? []
    const old = candidates.find(
      ({ application, object }) =>
        !object.movedTo && directoryOf(application) !== directoryOf(created.application),
    )
    if (!old) continue
    const { object } = created
    object.change = 'moved'
    object.movedFrom = placeOf(old.application)
    object.before = old.object.before
    object.truncated ||= old.object.truncated
    if (object.truncated) object.before = object.after = ''
    old.object.movedTo = placeOf(created.application)
  }
}

/** Identifies the hydrated directory of an Application. */
export function directoryOf({ repoUrl, branch, path }: ApplicationChanges): string {
  return JSON.stringify([repoUrl, branch, path])
}

function* objectsThat(applications: readonly ApplicationChanges[], change: string): Generator<Placed> {
  for (const application of applications) {
    for (const object of application.objects) {
      if (object.change === change && object.identity) yield { application, object }
    }
  }
}

function keyOf({ application, object }: Placed): string {
  return `${application.destination}\n${object.identity ? identityKey(object.identity) : ''}`
}

function placeOf({ namespace, name, branch, path }: ApplicationChanges): ObjectPlace {
  return create(ObjectPlaceSchema, { namespace, name, branch, path })
}
