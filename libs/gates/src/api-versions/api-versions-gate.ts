import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Gate, Violation } from '../gate.ts'
import { findRemovedApi } from './removed-apis.ts'

const removed = 'removed'

/** Finds objects of API versions that the cluster does not have any more. */
export const apiVersionsGate: Gate = {
  name: 'api-versions',
  rules: () => [removed],
  check: (objects, { cluster }) =>
    Promise.resolve(objects.map((object) => removedApi(object, cluster.minorVersion))),
}

function removedApi(object: Manifest, minorVersion: number): Violation[] {
  const found = findRemovedApi(object, minorVersion)
  if (found === undefined) return []
  const advice = found.use === undefined ? 'remove it, as nothing replaces it' : `use ${found.use}`
  const message = `is not in Kubernetes 1.${found.removedIn} and later; ${advice}`
  return [{ rule: removed, field: 'apiVersion', message, written: [`apiVersion: ${found.apiVersion}`] }]
}
