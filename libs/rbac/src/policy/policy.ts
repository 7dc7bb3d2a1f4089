/** One permission of a policy, the line `p, subject, resource, action, object, effect`. */
export interface PermissionRule {
  /** A role, user or group by its exact name. */
  subject: string
  /** Pattern of the resource, for example `applications`. */
  resource: string
  /** Pattern of the action, for example `action/*`. */
  action: string
  /** Pattern of the object, for example `dev/*`. */
  object: string
  /** `allow` or `deny`; a rule with any other text has no effect. */
  effect: string
  /** The place of the rule, for example `policy.csv:3`. */
  at: string
}

/** One membership of a policy, the line `g, member, role`. */
export interface RoleGrant {
  /** A user, a group or another role. */
  member: string
  role: string
  /** The place of the grant, for example `policy.csv:3`. */
  at: string
}

/** Rules and grants in the order of their text, which has no meaning for a verdict. */
export interface Policy {
  rules: readonly PermissionRule[]
  grants: readonly RoleGrant[]
}

/** The form of a policy's patterns: gobwas globs without separators, or regular expressions of Go. */
export type MatchMode = 'glob' | 'regex'
