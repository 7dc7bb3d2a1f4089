import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'

/**
 * Returns a function that gives objects of namespaced kinds the namespace of the destination when they name none; a kind
 * of which one of the `known` objects names a namespace has namespaces. Argo CD's command line takes such kinds for
 * namespaced too, and would change the objects without one on one side of a comparison alone.
 */
export function namespaceFiller(
  known: readonly Manifest[],
  namespace: string,
): (manifest: Manifest) => Manifest {
  const namespaced = new Set(known.filter((one) => manifestIdentity(one).namespace !== '').map(kindOf))
  return (manifest) => {
    const { namespace: own } = manifestIdentity(manifest)
    if (own !== '' || namespace === '' || !namespaced.has(kindOf(manifest))) return manifest
    const { metadata } = manifest
    return { ...manifest, metadata: { ...(isJsonObject(metadata) && metadata), namespace } }
  }
}

function kindOf(manifest: Manifest): string {
  const { group, kind } = manifestIdentity(manifest)
  return `${group}/${kind}`
}
