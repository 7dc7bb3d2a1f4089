import type { Gate } from '../gate.ts'
import { removedApis } from './removed-apis.ts'

/** Finds objects of API versions that the cluster does not have any more. */
export const apiVersionsGate: Gate = {
  name: 'api-versions',
  check({ apiVersion, kind }, { minorVersion }) {
    const found = removedApis.find(
      (removed) =>
        removed.removedIn <= minorVersion &&
        removed.apiVersion === apiVersion &&
        removed.kinds.some((one) => one === kind),
    )
    if (found === undefined) return Promise.resolve([])
    const advice = found.use === undefined ? 'remove it, as nothing replaces it' : `use ${found.use}`
    const message = `is not in Kubernetes 1.${found.removedIn} and later; ${advice}`
    const written = [`apiVersion: ${found.apiVersion}`]
    return Promise.resolve([{ rule: 'removed', field: 'apiVersion', message, written }])
  },
}
