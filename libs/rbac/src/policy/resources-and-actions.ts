/** A resource of the policy language. */
export interface RbacResource {
  name: string
  /** Other names that commands take for it. */
  shortNames: readonly string[]
  /** Actions as they are written, and `<action>/*` for those that may go on with a path. */
  actions: readonly string[]
  /** True if its objects are `<project>/<name>`. */
  inProjects: boolean
}

const change = ['create', 'update', 'delete']
const all = ['get', ...change]
const applicationActions = [...all, 'sync', 'rollback', 'override', 'action/*', 'update/*', 'delete/*']

/**
 * The resources of policies, in the order of Argo CD's documentation. Wadi adds `secrets` for the values of Secrets in
 * the manifests of an Application, and `settings` for stored objects that have no resource of their own, ConfigMaps for
 * example; its objects are `<Kind>/<name>`.
 */
export const rbacResources: readonly RbacResource[] = [
  described('applications', ['app', 'apps', 'application'], applicationActions, true),
  described('applicationsets', ['appset', 'appsets', 'applicationset'], all, true),
  described('clusters', ['cluster'], all, true),
  described('projects', ['proj', 'projs', 'project'], all, false),
  described('repositories', ['repo', 'repos', 'repository'], all, true),
  described('write-repositories', [], all, true),
  described('accounts', ['account'], ['get', 'update'], false),
  described('certificates', ['cert', 'certs', 'certificate'], ['get', 'create', 'delete'], false),
  described('gpgkeys', ['gpgkey', 'key'], ['get', 'create', 'delete'], false),
  described('logs', ['log'], ['get'], true),
  described('exec', [], ['create'], true),
  described('extensions', ['extension'], ['invoke'], false),
  described('secrets', ['secret'], ['get'], true),
  described('settings', ['setting'], all, false),
]

/** Returns the resource of a name or a short name. */
export function findResource(name: string): RbacResource | undefined {
  return rbacResources.find((resource) => resource.name === name || resource.shortNames.includes(name))
}

/** Returns whether requests for the action exist: `sync`, or `action/apps/Deployment/restart`, of an application. */
export function hasAction({ actions }: RbacResource, action: string): boolean {
  const slash = action.indexOf('/')
  return actions.includes(slash === -1 ? action : `${action.slice(0, slash)}/*`)
}

function described(
  name: string,
  shortNames: readonly string[],
  actions: readonly string[],
  inProjects: boolean,
): RbacResource {
  return { name, shortNames, actions, inProjects }
}
