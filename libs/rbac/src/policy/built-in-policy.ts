import type { PermissionRule, Policy } from './policy.ts'

const anyObject = '*'
const anyProject = '*/*'

type Permissions = readonly (readonly [resource: string, actions: string, object: string])[]

const readonlyPermissions: Permissions = [
  ['applications', 'get', anyProject],
  ['applicationsets', 'get', anyProject],
  ['certificates', 'get', anyObject],
  ['clusters', 'get', anyObject],
  ['repositories', 'get', anyObject],
  ['write-repositories', 'get', anyObject],
  ['projects', 'get', anyObject],
  ['accounts', 'get', anyObject],
  ['gpgkeys', 'get', anyObject],
  ['logs', 'get', anyProject],
]

const adminPermissions: Permissions = [
  ['applications', 'create update update/* delete delete/* sync rollback override action/*', anyProject],
  ['applicationsets', 'get create update delete', anyProject],
  ['certificates', 'create update delete', anyObject],
  ['clusters', 'create update delete', anyObject],
  ['repositories', 'create update delete', anyObject],
  ['write-repositories', 'create update delete', anyObject],
  ['projects', 'create update delete', anyObject],
  ['accounts', 'update', anyObject],
  ['gpgkeys', 'create delete', anyObject],
  ['exec', 'create', anyProject],
  ['secrets', 'get', anyProject],
  ['settings', 'get create update delete', anyObject],
]

const at = 'built-in policy'

const builtInPolicy: Policy = {
  rules: [...rulesOf('role:readonly', readonlyPermissions), ...rulesOf('role:admin', adminPermissions)],
  grants: [
    { member: 'role:admin', role: 'role:readonly', at },
    { member: 'admin', role: 'role:admin', at },
  ],
}

/**
 * Returns a policy with the roles that every policy has: `role:readonly`, and `role:admin` for the user `admin`, who may
 * not invoke extensions. Their patterns are globs, so with `policy.matchMode: regex` they grant nothing, as in Argo CD.
 */
export function withBuiltInRoles({ rules, grants }: Policy): Policy {
  return { rules: [...builtInPolicy.rules, ...rules], grants: [...builtInPolicy.grants, ...grants] }
}

function rulesOf(subject: string, permissions: Permissions): PermissionRule[] {
  return permissions.flatMap(([resource, actions, object]) =>
    actions.split(' ').map((action) => ({ subject, resource, action, object, effect: 'allow', at })),
  )
}
