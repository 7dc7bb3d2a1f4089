import { type Manifest, manifestIdentity } from './manifest.ts'
import { sortManifests } from './sort-manifests.ts'

/** The objects of several sources together. */
interface JoinedManifests {
  /** Sorted; of an object that comes several times the last one. */
  readonly manifests: Manifest[]
  /** Objects that come several times, each once: `Kind namespace/name`. */
  readonly repeated: string[]
}

/** Returns the warnings about objects that several sources have. */
export function repeatedWarnings({ repeated }: Pick<JoinedManifests, 'repeated'>): string[] {
  return repeated.map((name) => `several dry sources have ${name}; that of the last one is used`)
}

/** Joins objects, given in the order of their sources. Of an object that comes several times the last one is kept, as Argo CD applies it. */
export function joinManifests(manifests: readonly Manifest[]): JoinedManifests {
  const byIdentity = new Map<string, Manifest>()
  const repeated = new Set<string>()
  for (const manifest of manifests) {
    const { group, kind, namespace, name } = manifestIdentity(manifest)
    const key = JSON.stringify([group, kind, namespace, name])
    if (byIdentity.has(key)) repeated.add(`${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`)
    byIdentity.set(key, manifest)
  }
  return { manifests: sortManifests([...byIdentity.values()]), repeated: [...repeated] }
}
