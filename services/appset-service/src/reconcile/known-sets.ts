import type { GeneratorFacts } from './generator-facts.ts'
import type { ObservedInputs } from './generator-input-cache.ts'
import type { QueryKey } from '@wadi/application-sets/inputs/query-key.ts'
import { isAboutRepository, isAskedBy } from './query-subjects.ts'

/** The facts about a set from its object and its last pass. */
export interface KnownSet {
  namespace: string
  name: string
  uid: string
  /** Undefined for a set that cannot be read. */
  facts: GeneratorFacts | undefined
  /** The repositories that the last pass read; after a failed pass also those of the pass before it. */
  repositories: ReadonlySet<string>
  /** The keys of its queries by their texts. */
  questions: ReadonlyMap<string, QueryKey>
  /** Passes that failed one after the other. */
  failures: number
}

/** Adds what a pass over a set observed. */
export function withObserved(
  set: KnownSet,
  { repositories, answers }: ObservedInputs,
  isFailed: boolean,
): KnownSet {
  const questions = new Map([...answers].map(([text, { key }]) => [text, key]))
  const failures = isFailed ? set.failures + 1 : 0
  // A pass that fails may not have come to what it reads last.
  if (!isFailed) return { ...set, repositories, questions, failures }
  return {
    ...set,
    repositories: set.repositories.union(repositories),
    questions: new Map([...set.questions, ...questions]),
    failures,
  }
}

/** Returns whether a set reads a repository, by its identity, or asks for its pull requests. */
export function readsRepository(set: KnownSet, repository: string): boolean {
  if (set.repositories.has(repository)) return true
  return [...set.questions.values()].some((key) => isAboutRepository(key, repository))
}

/** Returns whether the generators of a set ask the service that a ConfigMap of this name sets, as written or rendered. */
export function usesConfigMap({ facts, questions }: KnownSet, name: string): boolean {
  return facts?.configMaps.has(name) === true || [...questions.values()].some((key) => isAskedBy(key, name))
}
