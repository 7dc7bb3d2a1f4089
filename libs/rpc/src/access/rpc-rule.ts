/** The permitted callers of an RPC, and the place that decides about them. */
export type RpcRule =
  /** Everybody who reaches the port. */
  | { access: 'open'; writes: boolean }
  /** Everybody at the gateway, and inside the mesh every service. */
  | { access: 'published'; writes: false }
  /** The named services. */
  | { access: 'services'; callers: readonly string[]; writes: false }
  /** Everybody who is signed in: the answer is about the caller, or the same for all. */
  | { access: 'caller'; writes: boolean }
  /** The policy decides; the handler asks it for the action on the object and answers nothing without having asked. */
  | { access: 'policy'; resource: string; action: string; writes: boolean }
  /** Everybody who is signed in gets what the policy lets them see of the resource. */
  | { access: 'filtered'; resource: string; writes: false }
  /**
   * The service `from` takes the call of everybody who is signed in and passes it on to the service `to`, which decides by
   * the policy. Where `to` serves the same RPC, `from` alone may call it there, and only on behalf of an end user.
   */
  | { access: 'passed on'; from: string; to: string; writes: boolean }

/** Needs no caller. */
export const open: RpcRule = { access: 'open', writes: false }

/** Is no secret of the gateway: what there is and whether it works. */
export const published: RpcRule = { access: 'published', writes: false }

/** Needs no caller and changes something, as signing in does. */
export const openWrite: RpcRule = { access: 'open', writes: true }

/** Is between services alone. */
export function services(...callers: string[]): RpcRule {
  return { access: 'services', callers, writes: false }
}

/** Needs any known caller. */
export const anyCaller: RpcRule = { access: 'caller', writes: false }

/** Tells of a resource what the caller may see. */
export function filtered(resource: string): RpcRule {
  return { access: 'filtered', resource, writes: false }
}

/** Needs the right to look at an object. */
export function reads(resource: string): RpcRule {
  return { access: 'policy', resource, action: 'get', writes: false }
}

/** Needs the right to do something to an object, and shows only what that would do. */
export function previews(resource: string, action: string): RpcRule {
  return { access: 'policy', resource, action, writes: false }
}

/** Needs the right to do something to an object. */
export function writes(resource: string, action: string): RpcRule {
  return { access: 'policy', resource, action, writes: true }
}

/** Is decided by the service that the gateway passes it on to; it changes nothing. */
export function passedOn(to: string): RpcRule {
  return { access: 'passed on', from: 'api-gateway', to, writes: false }
}

/** Is decided by the service that the gateway passes it on to, and changes something. */
export function passedOnWrite(to: string): RpcRule {
  return { access: 'passed on', from: 'api-gateway', to, writes: true }
}
