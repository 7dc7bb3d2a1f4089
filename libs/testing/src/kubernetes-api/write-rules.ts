import { apiVersionOf } from '@wadi/kubernetes/client/api-resource.ts'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { badRequest, conflict, invalid } from './api-failure.ts'
import type { KindDefinition } from './kind-definition.ts'
import { objectFindings, pruned } from './structural-schema.ts'

/** Reads the body of a write as an object of this kind. */
export function readObject(kind: KindDefinition, body: unknown): Resource {
  const name = kind.resource.kind
  const apiVersion = apiVersionOf(kind.resource)
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) {
    throw badRequest('the object provided is unrecognized: metadata is missing')
  }
  if (body['kind'] !== name || body['apiVersion'] !== apiVersion) {
    throw badRequest(
      `${String(body['kind'])} in version "${String(body['apiVersion'])}" cannot be handled as a ${name}`,
    )
  }
  return body as Resource
}

/** Returns the form in which an object of a kind is stored: pruned, with the text of Secrets in base64. */
export function storedForm(kind: KindDefinition, object: Resource): Resource {
  const known = kind.schema === undefined ? object : (pruned(object, kind.schema) as Resource)
  return kind.resource.kind === 'Secret' ? storedSecret(known) : known
}

function storedSecret({ stringData, data, type = 'Opaque', ...secret }: Resource): Resource {
  const texts = Object.entries(stringData ?? {})
  const folded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  const all = { ...data, ...Object.fromEntries(folded) }
  return { ...secret, ...(Object.keys(all).length > 0 && { data: all }), type }
}

const maxSecretBytes = 1024 * 1024

/** @throws ApiFailure 422 for what the schema or the rules of the kind reject, 400 for broken base64 */
export function assertValid(kind: KindDefinition, object: Resource, previous?: Resource): void {
  const { name } = object.metadata
  const findings = kind.schema === undefined ? [] : objectFindings(object, kind.schema)
  if (kind.resource.kind === 'Secret') {
    const values = Object.values(object.data ?? {})
    if (values.some((value) => Buffer.from(value, 'base64').toString('base64') !== value)) {
      throw badRequest('Secret in version "v1" cannot be handled as a Secret: illegal base64 data')
    }
    if (values.reduce((sum, value) => sum + value.length * 0.75, 0) > maxSecretBytes) {
      findings.push({
        reason: 'FieldValueTooLong',
        field: 'data',
        message: `Too long: may not be more than ${maxSecretBytes} bytes`,
      })
    }
    if (previous?.['immutable'] === true && !isDeepStrictEqual(previous.data, object.data)) {
      findings.push({
        reason: 'FieldValueForbidden',
        field: 'data',
        message: 'Forbidden: field is immutable when `immutable` is set',
      })
    }
  }
  if (findings.length > 0) throw invalid(kind, name, findings)
}

/** @throws ApiFailure when an update names another version or identity than the stored one */
export function assertUnchanged(kind: KindDefinition, object: Resource, stored: Resource): void {
  const { name, resourceVersion, uid } = object.metadata
  if (uid !== undefined && uid !== stored.metadata.uid) {
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.metadata.uid}`,
    )
  }
  if (resourceVersion === undefined || resourceVersion === '') {
    if (!kind.requiresVersion) return
    const message = 'Invalid value: 0: must be specified for an update'
    throw invalid(kind, name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message }])
  }
  if (resourceVersion !== stored.metadata.resourceVersion) throw conflict(kind, name)
}

/** Returns `next` with what belongs to the server taken from the stored object, and its generation counted. */
export function withServerFields(kind: KindDefinition, next: Resource, stored: Resource): Resource {
  const {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    managedFields,
    resourceVersion,
  } = stored.metadata
  const isChanged = kind.hasGeneration && !isDeepStrictEqual(counted(kind, next), counted(kind, stored))
  return {
    ...next,
    metadata: {
      ...next.metadata,
      ...defined({ uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion }),
      ...defined({ managedFields }),
      ...defined({ generation: isChanged ? (generation ?? 0) + 1 : generation }),
    },
  }
}

/** The fields whose changes `generation` counts. */
function counted(kind: KindDefinition, object: Resource): unknown {
  const { metadata: _metadata, status, ...fields } = object
  return kind.hasStatusSubresource ? fields : { ...fields, status }
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
