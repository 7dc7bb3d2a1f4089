import { by } from '@wadi/order/by-name.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { checkProjectRoles } from '@wadi/rbac/projects/check-project-roles.ts'
import { parseAppProject } from '@wadi/resources/project/app-project.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { readUserObject } from '../applications/read-application.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import { withoutTokens } from './role-tokens.ts'

/** The project that is there also while nobody has stored it. */
export const defaultProjectName = 'default'

/** `default` as it applies while nobody has stored it; stored as it is here, it permits the same. */
const builtInDefault: Resource = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: defaultProjectName, namespace: controlPlaneNamespace },
  spec: {
    sourceRepos: ['*'],
    sourceNamespaces: ['*'],
    destinations: [{ server: '*', name: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

/** Returns the projects that are stored, and `default`, by name. */
export async function listProjectResources({ store }: Pick<GatewayContext, 'store'>): Promise<Resource[]> {
  const { items } = await store.list('AppProject', { namespace: controlPlaneNamespace })
  const all = items.some(({ metadata }) => metadata.name === defaultProjectName)
    ? items
    : [...items, builtInDefault]
  return all.toSorted(by(({ metadata }) => metadata.name))
}

/**
 * Reads a project for a caller who wants to do something to it. One that the caller may not see is reported as one that
 * does not exist.
 * @throws NotFoundError, PermissionDeniedError for one that may be seen and nothing more
 */
export async function getProjectResource(
  context: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  name: string,
  action: 'get' | 'delete',
): Promise<Resource> {
  const stored = await context.store.get('AppProject', controlPlaneNamespace, name)
  return permittedProject(context, call, name, stored, action)
}

/** Returns what was read under a name when the caller may do the action to it, with the errors of `getProjectResource`. */
export function permittedProject(
  { authorization }: Pick<GatewayContext, 'authorization'>,
  call: Call,
  name: string,
  stored: Resource | undefined,
  action: 'get' | 'update' | 'delete',
): Resource {
  const resource = stored ?? (name === defaultProjectName ? builtInDefault : undefined)
  if (!resource || !authorization.allows(call, 'projects', 'get', name)) {
    throw new NotFoundError(`appprojects.argoproj.io "${name}" not found`)
  }
  authorization.require(call, 'projects', action, name)
  return resource
}

/** Reads a project that a user sent; the CLI may leave apiVersion and kind to the server. */
export function readUserProject(value: JsonObject | undefined): Resource {
  const resource = readUserObject({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', ...value })
  if (resource.kind !== 'AppProject') throw new InvalidInputError(`kind is ${resource.kind}, not AppProject`)
  return checkedProject(resource)
}

/**
 * Returns a project that a user sent without the tokens of its roles, which the server alone writes.
 * @throws InvalidInputError that lists every error with its field path
 */
export function checkedProject(resource: Resource): Resource {
  const { name, namespace } = resource.metadata
  if (namespace !== controlPlaneNamespace) {
    throw new InvalidInputError(
      `AppProject ${name}: metadata.namespace must be ${controlPlaneNamespace}, where Wadi reads projects`,
    )
  }
  parseAppProject(resource)
  if (shownObject(resource).spec !== resource.spec) {
    throw new InvalidInputError(
      `AppProject ${name}: an address in spec contains a password or a token; give the address without it`,
    )
  }
  const errors = checkProjectRoles(resource)
  if (errors.length > 0) throw new InvalidInputError(`AppProject ${name}: ${errors.join('; ')}`)
  return withoutTokens(resource)
}
