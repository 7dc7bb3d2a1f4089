import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { Resource } from './resource.ts'

/** The fields that hold addresses, in Applications, ApplicationSets and AppProjects. */
const addressFields = new Set(['repoURL', 'server', 'url', 'api', 'sourceRepos'])

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

type JsonValue = null | boolean | number | string | JsonValue[] | { [field: string]: JsonValue }

/** An object as messages carry it: what the store holds came as JSON. */
type ShownObject = Resource & { [field: string]: JsonValue }

/**
 * Returns an object as it may be shown: without the passwords and tokens in addresses, which an object that was stored past
 * the rules may hold. It is the object itself when there are none.
 */
export function shownObject(resource: Resource): ShownObject {
  const { spec, status, metadata } = resource
  const shownSpec = withoutSecrets(spec, '')
  const shownStatus = withoutSecrets(status, '')
  const written = metadata.annotations?.[lastApplied]
  const shownWritten = written?.replace(/(:\/\/)[^\s"'@]*:[^\s"']*@/g, '$1')
  if (shownSpec === spec && shownStatus === status && shownWritten === written) return resource as ShownObject
  const annotations =
    shownWritten === undefined ? undefined : { ...metadata.annotations, [lastApplied]: shownWritten }
  return {
    ...resource,
    metadata: { ...metadata, ...(annotations && { annotations }) },
    ...(shownSpec !== undefined && { spec: shownSpec }),
    ...(shownStatus !== undefined && { status: shownStatus }),
  } as ShownObject
}

/** Returns values by name as they may be shown, as `shownObject` does. */
export function shownValues(values: Record<string, unknown>): { [field: string]: JsonValue } {
  return withoutSecrets(values, '') as { [field: string]: JsonValue }
}

/** Returns the value itself when nothing in it changes, so that the many objects without secrets are not copied. */
function withoutSecrets<Value>(value: Value, field: string): Value
function withoutSecrets(value: unknown, field: string): unknown {
  if (typeof value === 'string') {
    return addressFields.has(field) ? shownUrl(value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutSecrets(item, field))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const changed = Object.entries(value).flatMap(([name, content]): [string, unknown][] => {
    const shown = withoutSecrets<unknown>(content, name)
    return shown === content ? [] : [[name, shown]]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}
