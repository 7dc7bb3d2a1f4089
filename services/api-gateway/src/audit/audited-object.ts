import { isJsonObject } from '@wadi/fields/json-object.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'

/** Fields that name what a call is about; none of them can hold a secret. */
const namingFields = new Set([
  'action',
  'appsetNamespace',
  'baseBranch',
  'baseSha',
  'branch',
  'change',
  'cluster',
  'drySha',
  'headSha',
  'id',
  'keyId',
  'name',
  'namespace',
  'number',
  'project',
  'repoUrl',
  'resource',
  'role',
  'server',
  'subresource',
  'username',
])
/** No name is longer. */
const maxLength = 512

/**
 * Returns what a request is about, for the audit log: the names in it, its flags, and of each object in it kind,
 * namespace, name and project. Everything else is left out, secrets and contents with it.
 */
export function auditedObject(request: unknown): Record<string, unknown> {
  if (!isJsonObject(request)) return {}
  const parts = Object.entries(request).flatMap(([field, value]): [string, unknown][] => {
    if (value === true) return [[field, true]]
    if (typeof value === 'string')
      return namingFields.has(field) && value !== '' ? [[field, named(value)]] : []
    if (Array.isArray(value)) {
      const objects = value.filter(isJsonObject).map(identity)
      return objects.some((object) => Object.keys(object).length > 0) ? [[field, objects]] : []
    }
    const object = isJsonObject(value) ? identity(value) : undefined
    return object && Object.keys(object).length > 0 ? [[field, object]] : []
  })
  return Object.fromEntries(parts)
}

function identity(object: Record<string, unknown>): Record<string, string> {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : object
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  const texts = {
    kind: object['kind'],
    namespace: metadata['namespace'],
    name: metadata['name'],
    project: spec['project'] ?? object['project'],
    server: object['server'],
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([field, value]): [string, string][] =>
      typeof value === 'string' && value !== '' ? [[field, named(value)]] : [],
    ),
  )
}

function named(text: string): string {
  return redactUrl(text).slice(0, maxLength)
}
