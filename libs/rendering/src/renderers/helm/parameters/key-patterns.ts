import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { regexSize } from '@wadi/patterns/regex-size.ts'

/** Longest pattern and key that are compared; a longer one may match anything. */
const maxLength = 1000

/** The patterns of keys in a schema, each compiled once. */
export class KeyPatterns {
  readonly #sizes = new Map<string, number>()
  readonly #matchers = new Map<string, Matcher>()

  /** Returns the steps that the next test takes, of a few microseconds at most. */
  cost(pattern: string, key: string): number {
    if (isLong(pattern, key)) return 1
    const size = this.#sizes.getOrInsertComputed(pattern, regexSize)
    return (
      1 + Math.floor((size * key.length) / 100) + (this.#matchers.has(pattern) ? 0 : pattern.length + size)
    )
  }

  allow(pattern: string, key: string): boolean {
    return isLong(pattern, key) || this.#matchers.getOrInsertComputed(pattern, matcherOf)(key)
  }
}

function isLong(pattern: string, key: string): boolean {
  return pattern.length > maxLength || key.length > maxLength
}

/** Helm's validation takes Go's expressions; one that is not may match anything. */
function matcherOf(pattern: string): Matcher {
  try {
    return compileGoRegex(pattern)
  } catch {
    return () => true
  }
}
