import { parseArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { PatternNode } from '@wadi/patterns/pattern-node.ts'
import type { MatchMode } from '../policy/policy.ts'

/** A rule that allows an action to some objects, for an identity of the caller that may allow. */
export interface OpenRule {
  /** The pattern of the objects. */
  object: string
  matches: Matcher
  /** The names of the projects for whose objects the rule applies. */
  projects: string[]
}

/** A request without an object. */
interface OpenRequest {
  resource: string
  rules: readonly OpenRule[]
  /** Objects that are tried first. */
  hints: readonly string[]
  mode: MatchMode
}

/** After so many refused objects the answer is yes: a guard against wasted work must not keep out who has rights. */
const maxWitnesses = 2000

/** The number of texts made of one pattern, whose alternatives multiply. */
const maxExamples = 16

/**
 * Returns whether one object that rules which allow something seem to be about is really allowed: a text that the
 * rule's pattern matches, with a project in front that exists where that matches too. Denies are respected that way.
 * No text is made of a regular expression: with those, a rule that allows something is enough.
 */
export function mayDoAny(request: OpenRequest, allows: (object: string) => boolean): boolean {
  if (request.mode === 'regex') return request.rules.length > 0 || request.hints.some(allows)
  const tried = new Set<string>()
  for (const object of witnesses(request)) {
    if (tried.has(object)) continue
    if (tried.size >= maxWitnesses || allows(object)) return true
    tried.add(object)
  }
  return false
}

function* witnesses({ resource, rules, hints }: OpenRequest): Generator<string> {
  yield* hints
  for (const { object, matches, projects } of rules) {
    for (const example of examples(parseArgoGlob(object))) {
      yield example
      const afterProject = example.slice(example.indexOf('/') + 1)
      for (const project of projects) {
        const inProject = resource === 'projects' ? project : `${project}/${afterProject}`
        if (matches(inProject)) yield inProject
      }
    }
  }
}

/** Returns texts that a glob matches, one for each of its alternatives as long as they are few. */
function examples(node: PatternNode): string[] {
  switch (node.kind) {
    case 'character':
      return [node.example ?? '']
    case 'choice':
      return node.options.flatMap(examples).slice(0, maxExamples)
    case 'sequence':
      return node.parts.map(examples).reduce(combined, [''])
    default:
      return examples(node.part)
  }
}

function combined(starts: readonly string[], ends: readonly string[]): string[] {
  return starts.flatMap((start) => ends.map((end) => start + end)).slice(0, maxExamples)
}
