import { LRUCache } from 'lru-cache'
import { candidatesFor } from './compiled-rule.ts'
import type { Candidate, CompiledRule } from './compiled-rule.ts'

// Callers can make up any number of names, so the caches by name are bounded. Small bounds: there is a cache for each
// identity and resource, and lru-cache reserves its whole size at once.
const maxResources = 16
const maxActions = 32
const maxProjects = 256

/** All rules of one identity, those of its roles included. */
export class IdentityRules {
  /** The identity and its roles, direct and inherited. */
  readonly names: ReadonlySet<string>
  readonly #rules: readonly CompiledRule[]
  readonly #resources = new LRUCache<string, LRUCache<string, ObjectRules>>({ max: maxResources })

  constructor(names: ReadonlySet<string>, rules: readonly CompiledRule[]) {
    this.names = names
    this.#rules = rules
  }

  /** True if no rule names the identity or one of its roles. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** Returns the rule that decides for this identity alone: one that denies or fails before one that allows. */
  decide(resource: string, action: string, object: string): Candidate | undefined {
    return this.isEmpty ? undefined : this.#objectRules(resource, action).decide(object)
  }

  /** Returns whether a deny rule matches; one with an expression that cannot be read matches what it is reached for. */
  denies(resource: string, action: string, object: string): boolean {
    return !this.isEmpty && this.#objectRules(resource, action).denies(object)
  }

  /** Returns the rules that allow the action to some object; none when an expression that cannot be read is reached. */
  allowing(resource: string, action: string): readonly Candidate[] {
    return this.isEmpty ? [] : this.#objectRules(resource, action).allowing()
  }

  #objectRules(resource: string, action: string): ObjectRules {
    let actions = this.#resources.get(resource)
    if (actions === undefined) this.#resources.set(resource, (actions = new LRUCache({ max: maxActions })))
    let rules = actions.get(action)
    if (rules === undefined) {
      rules = new ObjectRules(candidatesFor(this.#rules, resource, action))
      actions.set(action, rules)
    }
    return rules
  }
}

/** Rules that differ in their objects alone, kept by the project in front of an object's first slash. */
class ObjectRules {
  readonly #candidates: readonly Candidate[]
  #projects: LRUCache<string, readonly Candidate[]> | undefined

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates
  }

  decide(object: string): Candidate | undefined {
    for (const candidate of this.#candidatesFor(object)) if (candidate.matchesObject(object)) return candidate
    return undefined
  }

  denies(object: string): boolean {
    return this.#candidatesFor(object).some(
      ({ rule, matchesObject }) => rule.effect === 'deny' && matchesObject(object),
    )
  }

  allowing(): readonly Candidate[] {
    if (this.#candidates.some(({ effect }) => effect === 'unreadable')) return []
    return this.#candidates.filter(({ effect }) => effect === 'allow')
  }

  #candidatesFor(object: string): readonly Candidate[] {
    const slash = object.indexOf('/')
    if (slash === -1 || this.#candidates.length < 4) return this.#candidates
    const project = object.slice(0, slash + 1)
    this.#projects ??= new LRUCache({ max: maxProjects })
    let candidates = this.#projects.get(project)
    if (candidates === undefined) {
      candidates = this.#candidates.filter(
        ({ objectPrefix }) => objectPrefix.startsWith(project) || project.startsWith(objectPrefix),
      )
      this.#projects.set(project, candidates)
    }
    return candidates
  }
}
