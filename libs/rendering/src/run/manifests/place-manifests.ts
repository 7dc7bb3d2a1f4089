import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { ManifestPlacement } from './manifest-job.ts'
import { kindScope } from '@wadi/manifests/kind-scope.ts'

/** An object and where it goes. */
export interface PlacedManifest {
  readonly manifest: Manifest
  readonly placement: ManifestPlacement
}

/** Has the order of the objects when Argo CD applies them. */
const syncWaveAnnotation = 'argocd.argoproj.io/sync-wave'

/**
 * Gives objects the namespace and the sync wave of their placement unless they have one. A kind that neither Kubernetes
 * nor a definition among `all` knows is taken for one that lives in namespaces.
 * @returns a warning that names those kinds, if there are any
 */
export function placeManifests(placed: readonly PlacedManifest[], all: readonly Manifest[]): string[] {
  if (placed.length === 0) return []
  const defined = definedScopes(all)
  const unknown = new Set<string>()
  for (const { manifest, placement } of placed) {
    const { group, kind, namespace } = manifestIdentity(manifest)
    if (placement.namespace !== '' && namespace === '') {
      const scope = defined.get(`${group}/${kind}`) ?? kindScope(group, kind)
      if (scope === undefined) unknown.add(group === '' ? kind : `${kind}.${group}`)
      if (scope !== 'Cluster') setMetadata(manifest, 'namespace', placement.namespace)
    }
    if (placement.syncWave !== undefined) addSyncWave(manifest, placement.syncWave)
  }
  if (unknown.size === 0) return []
  const kinds = [...unknown].toSorted().join(', ')
  return [
    `taken for kinds that live in namespaces, as nothing here defines them: ${kinds}; set metadata.namespace to be sure`,
  ]
}

function definedScopes(all: readonly Manifest[]): Map<string, string> {
  const scopes = new Map<string, string>()
  for (const manifest of all) {
    const { spec, kind } = manifest
    if (kind !== 'CustomResourceDefinition' || !isJsonObject(spec) || !isJsonObject(spec['names'])) continue
    const { group, scope, names } = spec
    if (typeof names['kind'] === 'string' && typeof group === 'string' && typeof scope === 'string') {
      scopes.set(`${group}/${names['kind']}`, scope)
    }
  }
  return scopes
}

function setMetadata(manifest: Manifest, field: string, value: string | Manifest): void {
  const { metadata } = manifest
  manifest['metadata'] = { ...(isJsonObject(metadata) ? metadata : {}), [field]: value }
}

function addSyncWave(manifest: Manifest, wave: string): void {
  const { metadata } = manifest
  const annotations =
    isJsonObject(metadata) && isJsonObject(metadata['annotations']) ? metadata['annotations'] : {}
  if (Object.hasOwn(annotations, syncWaveAnnotation)) return
  setMetadata(manifest, 'annotations', { ...annotations, [syncWaveAnnotation]: wave })
}
