import type { GeneratorFacts } from './generator-facts.ts'
import type { ObservedInputs } from './generator-input-cache.ts'
import { kindAsked, mentions, mentionsRepository } from './query-key.ts'

/** What is known of a set from its object and its last pass. */
export interface KnownSet {
  namespace: string
  name: string
  uid: string
  /** Undefined for a set that cannot be read. */
  facts: GeneratorFacts | undefined
  /** What the last pass read, and of one that failed also what the one before it read. */
  repositories: ReadonlySet<string>
  questions: ReadonlySet<string>
  /** Passes that failed one after the other. */
  failures: number
}

/** Adds what a pass over a set observed. */
export function withHeard(
  set: KnownSet,
  { repositories, answers }: ObservedInputs,
  isFailed: boolean,
): KnownSet {
  const questions = new Set(answers.keys())
  const failures = isFailed ? set.failures + 1 : 0
  // A pass that fails may not have come to what it reads last.
  if (!isFailed) return { ...set, repositories, questions, failures }
  return {
    ...set,
    repositories: set.repositories.union(repositories),
    questions: set.questions.union(questions),
    failures,
  }
}

/** Returns whether a set reads a repository, by its normalised URL, or asks for its pull requests. */
export function readsRepository(set: KnownSet, repository: string): boolean {
  if (set.repositories.has(repository)) return true
  return [...set.questions].some(
    (key) => kindAsked(key) === 'pullRequest' && mentionsRepository(key, repository),
  )
}

/** Returns whether the generators of a set ask whom a ConfigMap of this name tells, as written or rendered. */
export function usesConfigMap({ facts, questions }: KnownSet, name: string): boolean {
  return facts?.configMaps.has(name) === true || [...questions].some((key) => isAskedBy(key, name))
}

/** Returns whether a question was asked with what a ConfigMap of this name tells. */
export function isAskedBy(key: string, configMap: string): boolean {
  const kind = kindAsked(key)
  return (kind === 'plugin' || kind === 'clusterDecisionResource') && mentions(key, configMap)
}
