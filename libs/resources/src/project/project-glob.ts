import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'

/** A glob takes its time for each character of what it is matched against, so it is as short as one of a policy. */
const maxPatternLength = 1024

/**
 * Compiles a glob of an AppProject.
 * @param separators characters that `*` and `?` do not match; none by default
 * @throws InvalidInputError for a glob that Argo CD could not compile either, or of more than 1024 characters
 */
export function compileProjectGlob(pattern: string, separators?: string): Matcher {
  if (pattern.length > maxPatternLength) {
    throw new InvalidInputError(`a glob pattern may have ${maxPatternLength} characters`)
  }
  return compileArgoGlob(pattern, separators)
}
