/** A resource of the policy language. */
export interface RbacResource {
  name: string
  /** Other names that commands take for it. */
  shortNames: readonly string[]
  /** Actions as they are written, and `<action>/*` for those that may go on with a path. */
  actions: readonly string[]
  /** Whether its objects are `<project>/<name>`. */
  inProjects: boolean
}

const change = ['create', 'update', 'delete']
const all = ['get', ...change]
const applicationActions = [...all, 'sync', 'rollback', 'override', 'action/*', 'update/*', 'delete/*']

/**
 * What policies can speak of, in the order of Argo CD's documentation. Wadi adds `settings` for stored objects that have
 * no resource of their own, ConfigMaps for example; its objects are `<Kind>/<name>`.
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

/** Returns the known name that a word was probably meant to be, at most a third of its letters away. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: editDistance(word.toLowerCase(), name) }))
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
  return nearest && nearest.distance <= Math.max(1, Math.floor(nearest.name.length / 3))
    ? nearest.name
    : undefined
}

function described(
  name: string,
  shortNames: readonly string[],
  actions: readonly string[],
  inProjects: boolean,
): RbacResource {
  return { name, shortNames, actions, inProjects }
}

/** Returns how many letters have to be changed, added, removed or swapped with the next, for words of usual length. */
function editDistance(from: string, to: string): number {
  if (from.length > 64) return from.length
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      const at = (row: readonly number[], offset: number) => row[column + offset] ?? Infinity
      const isSwap = from[index] === to[column - 1] && from[index - 1] === to[column]
      next.push(
        Math.min(
          at(last, 0) + (from[index] === to[column] ? 0 : 1),
          at(last, 1) + 1,
          at(next, 0) + 1,
          isSwap ? at(beforeLast, -1) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}
