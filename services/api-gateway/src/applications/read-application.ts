import type { JsonObject } from '@bufbuild/protobuf'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { type Application, parseApplication } from '@wadi/resources/application/application.ts'
import { controlPlaneNamespace, credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { requireKnownKind } from '@wadi/resources/kinds.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import { branchKeyOf, readableApplication, readBranches, viewApplication } from './application-view.ts'

/** Names an Application; an empty namespace is that of the control plane. */
interface ApplicationReference {
  namespace: string
  name: string
}

/**
 * Reads an Application for a caller who wants to do something to it. One that the caller may not see is reported as one
 * that does not exist.
 * @throws NotFoundError, PermissionDeniedError for one that may be seen and nothing more
 */
export async function getApplicationResource(
  context: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  { namespace, name }: ApplicationReference,
  action: 'get' | 'update' | 'delete' | 'sync' = 'get',
): Promise<Resource> {
  const resource = await context.store.get('Application', namespace || controlPlaneNamespace, name)
  return permittedApplication(context, call, name, resource, action)
}

/**
 * Reads an Application as `getApplicationResource` does, together with what its spec says.
 * @throws InvalidInputError also for one that cannot be read, which the store may hold when it came past the gateway
 */
export async function getStoredApplication(
  context: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  reference: ApplicationReference,
  action: 'get' | 'update' | 'sync' = 'get',
): Promise<{ resource: Resource; application: Application }> {
  const resource = await getApplicationResource(context, call, reference, action)
  return { resource, application: parseApplication(resource) }
}

/** Returns what was read under a name when the caller may do the action to it, with the errors of `getApplicationResource`. */
export function permittedApplication(
  { authorization }: Pick<GatewayContext, 'authorization'>,
  call: Call,
  name: string,
  resource: Resource | undefined,
  action: 'get' | 'update' | 'delete' | 'sync',
): Resource {
  if (!resource || !authorization.allows(call, 'applications', 'get', applicationObject(resource))) {
    throw new NotFoundError(`applications.argoproj.io "${name}" not found`)
  }
  authorization.require(call, 'applications', action, applicationObject(resource))
  return resource
}

/** An Application as users see it, with the record of its branch alone. */
export async function viewOne(
  context: Pick<GatewayContext, 'store'>,
  resource: Resource,
): Promise<JsonObject> {
  const application = readableApplication(resource)
  const key = application && branchKeyOf(application)
  const record =
    key === undefined ? undefined : await context.store.get('HydratedBranch', controlPlaneNamespace, key)
  return toStruct(viewApplication(resource, readBranches(record ? [record] : [])))
}

/**
 * Reads an object that a user sent. What the server owns is left out: a `status` from elsewhere would show hydrations
 * that never were, an `operation` could smuggle in a sync, and an owner decides who may change and delete the object.
 * @throws InvalidInputError when it has not the shape of an object of a known kind that users write
 */
export function readUserObject(value: JsonObject | undefined): Resource {
  const metadata = value?.metadata
  const hasMetadata = isJsonObject(metadata)
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
  const { ownerReferences: _owners, namespace: given, ...described } = metadata
  const usual = isCredentials(value.kind, metadata) ? credentialsNamespace : controlPlaneNamespace
  return checkedResource({ ...rest, metadata: { namespace: given ?? usual, ...described } })
}

/** Returns true for the Secret of a repository, a cluster or a forge. */
function isCredentials(kind: string, { labels }: JsonObject): boolean {
  return kind === 'Secret' && isJsonObject(labels) && labels[secretTypeLabel] !== undefined
}

/** Reads an Application that a user sent; the CLI may leave apiVersion and kind to the server. */
export function readUserApplication(value: JsonObject | undefined): Resource {
  const resource = readUserObject({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...value })
  if (resource.kind !== 'Application')
    throw new InvalidInputError(`kind is ${resource.kind}, not Application`)
  return resource
}

/**
 * A resource in the form of the wire, where it is JSON, without the secrets in addresses: what stores return and users send
 * has been JSON before. So it must have no field that is undefined.
 */
export function toStruct(resource: Resource): JsonObject {
  return shownObject(resource)
}
