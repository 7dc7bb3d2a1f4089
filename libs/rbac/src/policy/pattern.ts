import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { MatchMode } from './policy.ts'

const maxPatternLength = 1024

/**
 * Compiles a pattern of a rule.
 * @throws InvalidInputError for a pattern that Argo CD could not compile either, or of more than 1024 characters.
 */
export function compilePattern(pattern: string, mode: MatchMode): Matcher {
  if (pattern.length > maxPatternLength) {
    throw new InvalidInputError(`a pattern may have ${maxPatternLength} characters`)
  }
  return mode === 'regex' ? compileGoRegex(pattern) : compileArgoGlob(pattern)
}
