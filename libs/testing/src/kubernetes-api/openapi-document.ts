import type { KindStore } from './object-store.ts'

/** The group and version whose OpenAPI document a path asks for, such as `argoproj.io/v1alpha1`; undefined for another path. */
export function askedDocument(path: string): string | undefined {
  return /^\/openapi\/v3\/apis\/([^/?]+\/[^/?]+)(?:\?.*)?$/.exec(path)?.[1]
}

/** The OpenAPI document of a group and version, as far as clients read it. */
export function openApiDocument(groupVersion: string, stores: readonly KindStore[]): object {
  const served = stores.filter(
    ({ kind: { resource } }) => `${resource.group}/${resource.version}` === groupVersion,
  )
  const schemas = served.map(({ kind: { resource, schema = {} } }) => {
    const { group, version, kind } = resource
    const name = `${group.split('.').toReversed().join('.')}.${version}.${kind}`
    return [name, { ...schema, 'x-kubernetes-group-version-kind': [{ group, version, kind }] }]
  })
  return { openapi: '3.0.0', components: { schemas: Object.fromEntries(schemas) } }
}
