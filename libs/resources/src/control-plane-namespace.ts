import process from 'node:process'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isNamespaceName } from './object-checks.ts'

/**
 * The namespace of Wadi's own objects and of Applications that name none: `WADI_NAMESPACE` of the process, by default that
 * of Argo CD. All services of an installation need the same.
 */
export const controlPlaneNamespace = namespaceOf(process.env['WADI_NAMESPACE'])

/** @throws InvalidInputError for a name that Kubernetes does not take for a namespace */
function namespaceOf(setting: string | undefined): string {
  if (setting === undefined || setting === '') return 'argocd'
  if (isNamespaceName(setting)) return setting
  throw new InvalidInputError(
    `WADI_NAMESPACE: ${JSON.stringify(setting)} must be the name of a namespace: up to 63 lower-case letters, digits and hyphens`,
  )
}
