import { withBuiltInRoles } from '../policy/built-in-policy.ts'
import { ruleCompiler } from './compiled-rule.ts'
import type { Subject } from './claims.ts'
import { mayDoAny } from './may-do-any.ts'
import type { OpenRule } from './may-do-any.ts'
import { PolicyLayer } from './policy-layer.ts'
import type { PermissionRule } from '../policy/policy.ts'
import type { ProjectPolicy } from '../projects/project-policy.ts'
import type { PolicyConfig } from '../policy/read-policy-config.ts'
import { projectOfToken, requestedProject } from './requested-project.ts'

/** The rule that decided for one identity of a caller. */
export interface DecidingRule {
  /**
   * `unreadable`: the rule has a regular expression that cannot be read, and Argo CD then gives the identity no right
   * for the request at all.
   */
  effect: 'allow' | 'deny' | 'unreadable'
  rule: PermissionRule
  /** The user, group or role that the caller has the rule by; empty for what everybody has. */
  identity: string
}

/** A verdict and why. */
export interface Explanation {
  allowed: boolean
  /** The rules that decided: one that allows, or all that stood against it; empty when no rule allows the request. */
  rules: readonly DecidingRule[]
  /** Rules that would allow it to a group, which no `g` line names as its member, so that it is never asked. */
  ignored: readonly DecidingRule[]
}

/** No name of a resource, an action or an object is longer; a request with a longer one is denied. */
const maxRequestLength = 2048

/** Called with each identity of a caller and whether its allow rules apply; true ends the search. */
type Visit = (layer: PolicyLayer, identity: string, mayAllow: boolean) => boolean

/**
 * Decides who may do what, by a policy, the built-in roles and the roles of projects, whose rules apply to requests on
 * their project alone. It never changes: a changed policy or project makes another one. As in Argo CD, an allow for the
 * default role, the user or one of the groups is enough; a group is asked only when a `g` line has it as its member.
 * With `denyWins` a deny for any of them, and for a group without such a line too, overrides every allow.
 */
export class Enforcer {
  readonly #config: PolicyConfig
  readonly #compile: ReturnType<typeof ruleCompiler>
  readonly #general: PolicyLayer
  readonly #policies: ReadonlyMap<string, ProjectPolicy['policy']>
  /** The layers of projects that requests named so far. */
  readonly #layers = new Map<string, PolicyLayer>()

  constructor(config: PolicyConfig, projects: readonly ProjectPolicy[]) {
    this.#config = config
    this.#compile = ruleCompiler(config.matchMode)
    this.#general = new PolicyLayer(withBuiltInRoles(config.policy), this.#compile)
    this.#policies = new Map(projects.map(({ name, policy }) => [name, policy]))
  }

  /** Returns whether the subject may do the action to the object of the resource, for example `dev/web`. */
  allows(subject: Subject, resource: string, action: string, object: string): boolean {
    if (isTooLong(resource, action, object)) return false
    const { denyWins } = this.#config
    let hasAllow = false
    const isSettled = this.#someIdentity(
      subject,
      requestedProject(resource, object),
      (layer, identity, mayAllow) => {
        if (!mayAllow && !denyWins) return false
        const effect = layer.identity(identity).decide(resource, action, object)?.effect
        if (effect === 'allow' && mayAllow) hasAllow = true
        return denyWins ? effect === 'deny' : hasAllow
      },
    )
    return denyWins ? hasAllow && !isSettled : hasAllow
  }

  /** Returns the same verdict with the rules that decided. */
  explain(subject: Subject, resource: string, action: string, object: string): Explanation {
    if (isTooLong(resource, action, object)) return { allowed: false, rules: [], ignored: [] }
    const found: (DecidingRule & { mayAllow: boolean })[] = []
    this.#someIdentity(subject, requestedProject(resource, object), (layer, identity, mayAllow) => {
      const decided = layer.identity(identity).decide(resource, action, object)
      const isKnown = found.some(({ rule }) => rule === decided?.rule)
      if (decided && !isKnown) found.push({ effect: decided.effect, rule: decided.rule, identity, mayAllow })
      return false
    })
    const allowed = this.allows(subject, resource, action, object)
    const granting = found.filter(({ effect, mayAllow }) => effect === 'allow' && mayAllow)
    const opposing = found.filter(
      ({ effect, mayAllow }) => effect !== 'allow' && (mayAllow || this.#config.denyWins),
    )
    const ignored = found.filter(({ effect, mayAllow }) => effect === 'allow' && !mayAllow)
    return {
      allowed,
      rules: (allowed ? granting.slice(0, 1) : opposing).map(decidingRule),
      ignored: ignored.map(decidingRule),
    }
  }

  /**
   * Returns whether a deny rule for any identity of the subject matches, whatever allows it otherwise and whether
   * denies win or not; groups without a `g` line are asked too.
   */
  denies(subject: Subject, resource: string, action: string, object: string): boolean {
    if (isTooLong(resource, action, object)) return true
    return this.#someIdentity(subject, requestedProject(resource, object), (layer, identity) =>
      layer.identity(identity).denies(resource, action, object),
    )
  }

  /**
   * Returns whether the subject may do the action to at least one conceivable object, for a check before expensive
   * work. It is no boundary: the objects themselves must be checked all the same. `mayDoAny` says how it guesses.
   * @param hints objects that are tried first, for example the one that the work begins with.
   */
  allowsAny(subject: Subject, resource: string, action: string, hints: readonly string[] = []): boolean {
    if (isTooLong(resource, action)) return false
    const rules = this.#allowingRules(subject, resource, action)
    return mayDoAny({ resource, rules, hints, mode: this.#config.matchMode }, (object) =>
      this.allows(subject, resource, action, object),
    )
  }

  /** The rules that allow the action to some object, each with the projects that it applies to. */
  #allowingRules(subject: Subject, resource: string, action: string): OpenRule[] {
    const anyProject = Array.from(this.#policies.keys())
    const rules = new Map<PermissionRule, OpenRule>()
    for (const project of [undefined, ...anyProject]) {
      this.#someIdentity(subject, project, (layer, identity, mayAllow) => {
        const allowing = mayAllow ? layer.identity(identity).allowing(resource, action) : []
        for (const { rule, matchesObject } of allowing) {
          const known = rules.get(rule)
          if (known && known.projects !== anyProject && project !== undefined) known.projects.push(project)
          if (known) continue
          const projects = project === undefined ? anyProject : [project]
          rules.set(rule, { object: rule.object, matches: matchesObject, projects })
        }
        return false
      })
    }
    return Array.from(rules.values())
  }

  /** Calls `visit` for each identity of the caller in Argo CD's order until that returns true. */
  #someIdentity({ sub, groups }: Subject, project: string | undefined, visit: Visit): boolean {
    const { defaultRole } = this.#config
    const general = this.#general
    if (defaultRole !== '' && visit(general, defaultRole, true)) return true
    const layer = this.#layerOf(project)
    const home = projectOfToken(sub)
    const isAnonymous = sub === '' && groups.length === 0
    const isForeignToken = layer !== undefined && home !== undefined && home !== project
    if (!isAnonymous && !isForeignToken) {
      if (layer && defaultRole !== '' && visit(layer, defaultRole, true)) return true
      if (visit(layer ?? general, sub, true)) return true
      const asked = layer !== undefined && home !== undefined ? [] : groups
      for (const group of asked) {
        if (visit(layer ?? general, group, (layer ?? general).isMember(group))) return true
      }
    }
    return visit(general, '', true)
  }

  #layerOf(project: string | undefined): PolicyLayer | undefined {
    const policy = project === undefined ? undefined : this.#policies.get(project)
    if (project === undefined || policy === undefined) return undefined
    return this.#layers.getOrInsertComputed(
      project,
      () => new PolicyLayer(policy, this.#compile, this.#general),
    )
  }
}

function isTooLong(...texts: readonly string[]): boolean {
  return texts.some((text) => text.length > maxRequestLength)
}

function decidingRule({ effect, rule, identity }: DecidingRule): DecidingRule {
  return { effect, rule, identity }
}
