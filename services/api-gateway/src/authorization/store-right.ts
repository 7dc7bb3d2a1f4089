import type { Authorization, Call } from './authorization.ts'
import type { PolicyObject } from './policy-object.ts'

/**
 * Makes sure that a caller may store a thing where `stored` is now, undefined for nothing. A new one needs `create`. One
 * that is there and is replaced needs `update` as policies call it now, and when they will call it otherwise, because it
 * moves to another project for example, `create` under the new name. What the caller may not see is refused as if the
 * right to create were missing, so nobody learns that it is there.
 * @param replaces true to replace an existing object; otherwise an existing one needs `create` like a new one.
 * @throws PermissionDeniedError
 */
export function requireStoreRight(
  { authorization }: { authorization: Authorization },
  call: Call,
  wanted: PolicyObject,
  stored: PolicyObject | undefined,
  replaces: boolean,
): void {
  if (stored === undefined || !replaces) {
    authorization.require(call, wanted.resource, 'create', wanted.object)
  }
  if (stored === undefined) return
  if (!isVisible(authorization, call, stored)) {
    authorization.refuse(call, wanted.resource, 'create', wanted.object)
  }
  if (!replaces) return
  authorization.require(call, stored.resource, 'update', stored.object)
  if (stored.resource !== wanted.resource || stored.object !== wanted.object) {
    authorization.require(call, wanted.resource, 'create', wanted.object)
  }
}

/** Settings are written more than they are read: who may change one may know of it. */
function isVisible(authorization: Authorization, call: Call, { resource, object }: PolicyObject): boolean {
  if (authorization.allows(call, resource, 'get', object)) return true
  return resource === 'settings' && authorization.allows(call, resource, 'update', object)
}
