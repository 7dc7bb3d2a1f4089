import type { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import type { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { rejection } from './rejection.ts'
import { deniableObjectsOf, objectsOf } from './set-objects.ts'

/** The caller, and the present policy. */
export interface Access {
  enforcer: Enforcer
  subject: Subject
}

/** An action of a caller on an ApplicationSet. */
export type SetAction = 'get' | 'create' | 'update' | 'delete'

/**
 * Returns whether the action is allowed for all Applications of a set, and not denied for the set itself; rules that
 * allow something on `applicationsets` have no effect.
 */
export function maySet(
  access: Access,
  action: SetAction,
  set: Resource,
  owned: readonly Resource[],
): boolean {
  return rejectionOf(access, action, set, owned) === undefined
}

/** @throws PermissionDeniedError that names the first Application for which the action is not allowed */
export function requireSet(
  access: Access,
  action: SetAction,
  set: Resource,
  owned: readonly Resource[],
): void {
  const error = rejectionOf(access, action, set, owned)
  if (error) throw error
}

/**
 * Keeps those out, before anything is read, who may do this to no Application at all; `set` is what they sent.
 * @throws PermissionDeniedError
 */
export function requireAnyApplication({ enforcer, subject }: Access, action: SetAction, set: Resource): void {
  const hints = objectsOf(set, [])
  if (!enforcer.allowsAny(subject, 'applications', action, hints)) {
    throw rejection(subject, 'applications', action, hints[0] ?? '*/*')
  }
}

/** @throws PermissionDeniedError when a rule denies the action to the set, by its template or one of the Applications */
export function requireNoDenial(
  access: Access,
  action: SetAction,
  set: Resource,
  applications: readonly Resource[],
): void {
  const error = denialOf(access, action, set, applications)
  if (error) throw error
}

function rejectionOf(
  access: Access,
  action: SetAction,
  set: Resource,
  owned: readonly Resource[],
): PermissionDeniedError | undefined {
  const { enforcer, subject } = access
  const refused = objectsOf(set, owned).find(
    (object) => !enforcer.allows(subject, 'applications', action, object),
  )
  if (refused !== undefined) return rejection(subject, 'applications', action, refused)
  return denialOf(access, action, set, owned)
}

function denialOf(
  { enforcer, subject }: Access,
  action: SetAction,
  set: Resource,
  applications: readonly Resource[],
): PermissionDeniedError | undefined {
  const denied = deniableObjectsOf(set, applications).find((object) =>
    enforcer.denies(subject, 'applicationsets', action, object),
  )
  return denied === undefined ? undefined : rejection(subject, 'applicationsets', action, denied)
}
