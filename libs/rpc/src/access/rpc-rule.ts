/** Who may make a call, and who decides about it. */
export type RpcRule =
  /** Everybody who reaches the port. */
  | { access: 'open'; writes: boolean }
  /** Everybody at the gateway, and inside the mesh every service. */
  | { access: 'published'; writes: false }
  /** The named services. With `forUser` they call on behalf of an end user, whose rights the handler checks. */
  | { access: 'services'; callers: readonly string[]; forUser: boolean; writes: boolean }
  /** Everybody who is signed in: the answer is about the caller, or the same for all. */
  | { access: 'caller'; writes: boolean }
  /** The policy decides; the handler asks it for the action on the object and answers nothing without having asked. */
  | { access: 'policy'; resource: string; action: string; writes: boolean }
  /** Everybody who is signed in gets what the policy lets them see of the resource. */
  | { access: 'filtered'; resource: string; writes: false }
  /** The service behind decides by the policy, with the caller that this one vouches for. */
  | { access: 'passed on'; service: string; writes: boolean }

/** Needs no caller. */
export const open: RpcRule = { access: 'open', writes: false }

/** Is no secret of the gateway: what there is and whether it works. */
export const published: RpcRule = { access: 'published', writes: false }

/** Needs no caller and changes something, as signing in does. */
export const openWrite: RpcRule = { access: 'open', writes: true }

/** Is between services alone. */
export function services(...callers: string[]): RpcRule {
  return { access: 'services', callers, forUser: false, writes: false }
}

/** Is between services, for an end user who is named and whose rights count. */
export function forUserOf(...callers: string[]): RpcRule {
  return { access: 'services', callers, forUser: true, writes: false }
}

/** Needs a caller, whoever it is. */
export const anyCaller: RpcRule = { access: 'caller', writes: false }

/** Tells of a resource what the caller may see. */
export function filtered(resource: string): RpcRule {
  return { access: 'filtered', resource, writes: false }
}

/** Needs the right to look at an object. */
export function reads(resource: string): RpcRule {
  return { access: 'policy', resource, action: 'get', writes: false }
}

/** Needs the right to do something to an object. */
export function writes(resource: string, action: string): RpcRule {
  return { access: 'policy', resource, action, writes: true }
}

/** Is decided by the service behind; it changes nothing. */
export function passedOn(service: string): RpcRule {
  return { access: 'passed on', service, writes: false }
}

/** Is decided by the service behind and changes something. */
export function passedOnWrite(service: string): RpcRule {
  return { access: 'passed on', service, writes: true }
}
