import { LRUCache } from 'lru-cache'
import type { CompiledRule } from './compiled-rule.ts'
import { IdentityRules } from './identity-rules.ts'
import type { PermissionRule, Policy } from '../policy/policy.ts'

/** The number of memberships followed one after the other, as casbin does for Argo CD. */
const maxRoleDepth = 10

/** Of one policy; that of a project is consulted only by members of its roles. */
const maxIdentities = 2048

/** A policy by names, alone or on top of another one: the rules of a project on top of those for all. */
export class PolicyLayer {
  readonly #below: PolicyLayer | undefined
  readonly #rules: ReadonlyMap<string, readonly CompiledRule[]>
  readonly #roles: ReadonlyMap<string, readonly string[]>
  readonly #identities = new LRUCache<string, IdentityRules>({
    // Not `max`, for which each of many projects would reserve room at once.
    maxSize: maxIdentities,
    sizeCalculation: () => 1,
  })

  constructor(policy: Policy, compile: (rule: PermissionRule) => CompiledRule, below?: PolicyLayer) {
    this.#below = below
    const compiled = policy.rules.map(compile)
    this.#rules = Map.groupBy(compiled, ({ rule }) => rule.subject)
    const members = Map.groupBy(policy.grants, ({ member }) => member)
    this.#roles = new Map(Array.from(members, ([member, grants]) => [member, grants.map(({ role }) => role)]))
  }

  /** Returns whether some `g` line has the name as its member. */
  isMember(name: string): boolean {
    return this.#roles.has(name) || (this.#below?.isMember(name) ?? false)
  }

  /** Returns the rules of a user, a group or a role. */
  identity(name: string): IdentityRules {
    const below = this.#below?.identity(name)
    if (below && !this.#concerns(below.names)) return below
    let rules = this.#identities.get(name)
    if (rules === undefined) this.#identities.set(name, (rules = this.#collect(name)))
    return rules
  }

  #concerns(names: ReadonlySet<string>): boolean {
    for (const name of names) if (this.#rules.has(name) || this.#roles.has(name)) return true
    return false
  }

  #collect(name: string): IdentityRules {
    const names = new Set([name])
    let latest = [name]
    for (let depth = 0; depth < maxRoleDepth && latest.length > 0; depth++) {
      latest = latest.flatMap((member) => this.#rolesOf(member)).filter((role) => !names.has(role))
      for (const role of latest) names.add(role)
    }
    return new IdentityRules(
      names,
      Array.from(names).flatMap((role) => this.#rulesOf(role)),
    )
  }

  #rolesOf(member: string): readonly string[] {
    return [...(this.#below ? this.#below.#rolesOf(member) : []), ...(this.#roles.get(member) ?? [])]
  }

  #rulesOf(name: string): readonly CompiledRule[] {
    return [...(this.#below ? this.#below.#rulesOf(name) : []), ...(this.#rules.get(name) ?? [])]
  }
}
