import type { JsonObject } from '@bufbuild/protobuf'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import { requireKnownKind } from '@wadi/resources/kinds.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { GatewayContext } from '../context.ts'
import { branchKeyOf, readBranches, viewApplication } from './application-view.ts'

/** @throws NotFoundError when there is no such Application */
export async function getApplicationResource(
  { store }: Pick<GatewayContext, 'store'>,
  namespace: string,
  name: string,
): Promise<Resource> {
  const resource = await store.get('Application', namespace || controlPlaneNamespace, name)
  if (!resource) throw new NotFoundError(`applications.argoproj.io "${name}" not found`)
  return resource
}

/** An Application as users see it, with the record of its branch alone. */
export async function viewOne(
  context: Pick<GatewayContext, 'store'>,
  resource: Resource,
): Promise<JsonObject> {
  const key = branchKeyOf(parseApplication(resource))
  const record =
    key === undefined ? undefined : await context.store.get('HydratedBranch', controlPlaneNamespace, key)
  return toStruct(viewApplication(resource, readBranches(record ? [record] : [])))
}

/**
 * Reads an object that a user sent. What the server owns is left out: a `status` from elsewhere would show hydrations
 * that never were, and an `operation` could smuggle in a sync.
 * @throws InvalidInputError when it has not the shape of an object of a known kind that users write
 */
export function readUserObject(value: JsonObject | undefined): Resource {
  const metadata = value?.metadata
  const hasMetadata = metadata !== null && typeof metadata === 'object' && !Array.isArray(metadata)
  if (!value || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string' || !hasMetadata) {
    throw new InvalidInputError('an object needs apiVersion, kind and metadata')
  }
  if (typeof metadata.name !== 'string' || metadata.name === '') {
    throw new InvalidInputError(`${value.kind} needs metadata.name`)
  }
  if (requireKnownKind({ apiVersion: value.apiVersion, kind: value.kind }) === 'HydratedBranch') {
    throw new InvalidInputError('HydratedBranch objects are written by the hydrator alone')
  }
  const { status: _status, operation: _operation, ...rest } = value
  return checkedResource({ ...rest, metadata: { namespace: controlPlaneNamespace, ...metadata } })
}

/** Reads an Application that a user sent; the CLI may leave apiVersion and kind to the server. */
export function readUserApplication(value: JsonObject | undefined): Resource {
  const resource = readUserObject({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...value })
  if (resource.kind !== 'Application')
    throw new InvalidInputError(`kind is ${resource.kind}, not Application`)
  parseApplication(resource)
  return resource
}

/** A resource in the form of the wire, where it is JSON. */
export function toStruct(resource: Resource): JsonObject {
  return JSON.parse(JSON.stringify(resource)) as JsonObject
}
