import { gpgKeysConfigMap, sshSignersConfigMap } from '@wadi/hydration/source-verification.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/resource-store.ts'

/**
 * Tells of every change after which dry commits may need other signatures: of a project, and of the known keys, which
 * concern all projects. Without it a withdrawn key would count until the next poll.
 * @param changed gets the name of the project; undefined for all
 */
export async function followSignatureRules(
  store: ResourceStore,
  changed: (project: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion } = await store.list('AppProject', { namespace: controlPlaneNamespace })
  const options = { fromResourceVersion: resourceVersion, signal }
  for await (const { resource } of store.watch(['AppProject', 'ConfigMap'], options)) {
    if (resource.kind === 'AppProject') changed(resource.metadata.name)
    else if (holdsKeys(resource)) changed(undefined)
  }
}

/** The keys of the branches with members of a project; of all when there is no name. */
export function branchesOfProject(index: ApplicationIndex, name: string | undefined): string[] {
  const isOf = (key: string) => index.members(key).some(({ application }) => application.project === name)
  return index.branchKeys().filter((key) => name === undefined || isOf(key))
}

function holdsKeys({ metadata }: Resource): boolean {
  return metadata.name === gpgKeysConfigMap || metadata.name === sshSignersConfigMap
}
