import type { Resource } from './resource.ts'

const ofRepoServer = 'the operator sets it for all repo-servers with'

/** Keys of argocd-cm that change manifests or access in Argo CD and have no effect in Wadi, each with what does. */
const ineffective = new Map([
  ['kustomize.buildOptions', `${ofRepoServer} WADI_KUSTOMIZE_BUILD_OPTIONS`],
  ['helm.valuesFileSchemes', 'values files have no URLs; keep them in a repository'],
  ['globalProjects', 'projects do not inherit from others; write what it restricts into each project'],
])

/** The keys that name another Kustomize; versions have no name of their own here. */
const otherKustomize = /^kustomize\.(?:path|version)\.|^kustomize\.buildOptions\./

/** Returns a warning for each key of the ConfigMap argocd-cm that changes manifests or access in Argo CD and is stored without effect. */
export function settingsWarnings({
  kind,
  metadata,
  data = {},
}: Pick<Resource, 'kind' | 'metadata' | 'data'>): string[] {
  if (kind !== 'ConfigMap' || metadata.name !== 'argocd-cm') return []
  return Object.keys(data).flatMap((key) => {
    const reason = otherKustomize.test(key) ? `${ofRepoServer} WADI_KUSTOMIZE` : ineffective.get(key)
    return reason === undefined || data[key] === ''
      ? []
      : [`data.${key} is stored but not applied: ${reason}`]
  })
}
