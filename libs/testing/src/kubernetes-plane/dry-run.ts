import type { PlaneAccess } from './plane-access.ts'

/** The verdict of an API server on an object that was not created. */
export interface DryRun {
  readonly status: number
  readonly message: string
  /** The fields that are wrong, where the server lists them. */
  readonly causes: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[]
}

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

const known = new WeakMap<PlaneAccess, Map<string, Promise<readonly Resource[]>>>()

/** Creates an object as `kubectl create --dry-run=server --validate=strict` does, in the namespace `default` if it is in none; status 0 for a kind that is not served. */
export async function dryRun(
  plane: PlaneAccess,
  object: { readonly apiVersion: string; readonly kind: string; readonly metadata?: unknown },
): Promise<DryRun> {
  const { apiVersion, kind } = object
  const resource = (await servedResources(plane, apiVersion)).find(
    (one) => one.kind === kind && !one.name.includes('/'),
  )
  if (resource === undefined) {
    // A definition may be created later.
    known.get(plane)?.delete(apiVersion)
    return { status: 0, message: `no ${kind} in ${apiVersion}`, causes: [] }
  }
  const place = resource.namespaced ? `namespaces/${namespaceOf(object.metadata)}/` : ''
  const path = `${groupPath(apiVersion)}/${place}${resource.name}?dryRun=All&fieldValidation=Strict&fieldManager=test`
  const text = JSON.stringify(object, (_key, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  )
  const { status, body } = await plane.ask('POST', path, { type: 'application/json', text })
  if (status >= 200 && status < 300) return { status, message: '', causes: [] }
  const { message = body, details }: { message?: string; details?: { causes?: DryRun['causes'] } } =
    JSON.parse(body)
  return { status, message, causes: details?.causes ?? [] }
}

function servedResources(plane: PlaneAccess, apiVersion: string): Promise<readonly Resource[]> {
  return known
    .getOrInsertComputed(plane, () => new Map())
    .getOrInsertComputed(apiVersion, async () => {
      const { status, body } = await plane.ask('GET', groupPath(apiVersion))
      const list: { resources?: readonly Resource[] } = status === 200 ? JSON.parse(body) : {}
      return list.resources ?? []
    })
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

function namespaceOf(metadata: unknown): string {
  const isNamed = typeof metadata === 'object' && metadata !== null && 'namespace' in metadata
  return isNamed && typeof metadata.namespace === 'string' && metadata.namespace !== ''
    ? metadata.namespace
    : 'default'
}
