import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'

/**
 * Returns the namespace of an ApplicationSet; none is that of the control plane.
 * @throws PermissionDeniedError for a namespace where ApplicationSets may not be, whether one is there or not
 */
export function permittedNamespace(namespace: string | undefined): string {
  if (namespace === undefined || namespace === '' || namespace === controlPlaneNamespace) {
    return controlPlaneNamespace
  }
  throw new PermissionDeniedError(`namespace '${namespace}' is not permitted`)
}
