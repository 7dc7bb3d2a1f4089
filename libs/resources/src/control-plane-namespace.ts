import process from 'node:process'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isNamespaceName } from './object-checks.ts'

/**
 * The namespace of Wadi's own objects and of Applications that name none: `WADI_NAMESPACE` of the process, by default that
 * of Argo CD. All services of an installation need the same.
 */
export const controlPlaneNamespace = namespaceOf('WADI_NAMESPACE') ?? 'argocd'

/**
 * The namespace of the Secrets of repositories, clusters and forges, which several services read: `WADI_CREDENTIALS_NAMESPACE` of the process, by default that
 * of the control plane. In one of their own, services that read them cannot read what the gateway alone needs.
 */
export const credentialsNamespace = namespaceOf('WADI_CREDENTIALS_NAMESPACE') ?? controlPlaneNamespace

/** @throws InvalidInputError for a name that Kubernetes does not take for a namespace */
function namespaceOf(variable: string): string | undefined {
  const setting = process.env[variable]
  if (setting === undefined || setting === '') return undefined
  if (isNamespaceName(setting)) return setting
  throw new InvalidInputError(
    `${variable}: ${JSON.stringify(setting)} must be the name of a namespace: up to 63 lower-case letters, digits and hyphens`,
  )
}
