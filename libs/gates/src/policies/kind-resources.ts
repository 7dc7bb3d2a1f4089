import { textAt } from '@wadi/fields/json-fields.ts'
import { kindScope } from '@wadi/manifests/kind-scope.ts'

/** The entry of a kind in the discovery of the Kubernetes API. */
export interface KindResource {
  /** The plural of the kind. */
  readonly resource: string
  /** Undefined for a custom kind that nothing defines. */
  readonly scope: 'Namespaced' | 'Cluster' | undefined
}

/** Returns the entries of kinds, those of Kubernetes and those that CustomResourceDefinitions among the objects define. */
export function kindResources(
  definitions: readonly { readonly kind?: unknown }[],
): (group: string, kind: string) => KindResource {
  const custom = new Map(
    definitions
      .filter((manifest) => manifest.kind === 'CustomResourceDefinition')
      .map((manifest) => {
        const scope = textAt(manifest, 'spec', 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced'
        const kind = textAt(manifest, 'spec', 'names', 'kind')
        const resource = textAt(manifest, 'spec', 'names', 'plural')
        return [`${textAt(manifest, 'spec', 'group')}/${kind}`, { resource, scope }] as const
      }),
  )
  return (group, kind) => {
    const scope = kindScope(group, kind)
    // No definition changes a kind of Kubernetes.
    const defined = scope === undefined ? custom.get(`${group}/${kind}`) : undefined
    return defined ?? { resource: pluralOf(kind), scope }
  }
}

function pluralOf(kind: string): string {
  const singular = kind.toLowerCase()
  if (singular === 'endpoints') return singular
  if (/(?:s|x|ch|sh)$/.test(singular)) return `${singular}es`
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`
}
