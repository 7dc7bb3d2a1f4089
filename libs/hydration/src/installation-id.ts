import { randomUUID } from 'node:crypto'
import { errorMessage, AlreadyExistsError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** The ConfigMap whose `id` distinguishes installations that write to one repository. */
export const installationConfigMap = 'wadi-installation'

/** True if a string can be the id of an installation: 1 to 64 letters, digits and hyphens. */
export function isInstallationId(text: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(text)
}

/** The id of an installation, or why there is none. */
export type InstallationId = { readonly id: string } | { readonly missing: string }

/** Returns the id that the store keeps. The first call ever makes it, where the account may create ConfigMaps. */
export async function installationId(store: ResourceStore): Promise<InstallationId> {
  const held = await store.get('ConfigMap', controlPlaneNamespace, installationConfigMap)
  if (held === undefined) return makeId(store)
  const id = held.data?.['id'] ?? ''
  if (isInstallationId(id)) return { id }
  const found = JSON.stringify(id)
  return {
    missing: `ConfigMap ${installationConfigMap}: id is ${found}; give 1 to 64 letters, digits and hyphens, or delete the ConfigMap for a new id`,
  }
}

async function makeId(store: ResourceStore): Promise<InstallationId> {
  const id = randomUUID()
  const metadata = { name: installationConfigMap, namespace: controlPlaneNamespace }
  try {
    await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { id } })
    return { id }
  } catch (error) {
    if (error instanceof AlreadyExistsError) {
      return { missing: `ConfigMap ${installationConfigMap} was made by another process and is read again` }
    }
    if (!(error instanceof PermissionDeniedError)) throw error
    return {
      missing: `ConfigMap ${installationConfigMap} with the id of the installation is not there; api-gateway makes it when it starts (${errorMessage(error)})`,
    }
  }
}
