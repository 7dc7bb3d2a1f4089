/** The names and the place of a kind in the Kubernetes API, as `kubectl api-resources` lists it. */
export interface ApiResource {
  /** Empty for the core group, as of Secret. */
  readonly group: string
  readonly version: string
  readonly kind: string
  /** As in URLs, for example `applications`. */
  readonly plural: string
}

/** Names one object of a kind; kinds without namespaces have none. */
export interface ObjectKey {
  readonly namespace?: string | undefined
  readonly name: string
}

/** Returns `group/version`, or the version alone in the core group. */
export function apiVersionOf({ group, version }: ApiResource): string {
  return group === '' ? version : `${group}/${version}`
}

/** Returns the path of all objects of a kind, in one namespace or in all. */
export function collectionPath(resource: ApiResource, namespace: string | undefined): string {
  const root = `${resource.group === '' ? '/api' : '/apis'}/${apiVersionOf(resource)}`
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}${scope}/${resource.plural}`
}

/** Returns the path of one object, or of its subresource. */
export function objectPath(
  resource: ApiResource,
  { namespace, name }: ObjectKey,
  subresource?: 'status',
): string {
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}
