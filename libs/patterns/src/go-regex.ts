import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { RE2JS, RE2JSException } from 're2js'
import type { Matcher } from './matcher.ts'
import { regexSize } from './regex-size.ts'

const maxPatternLength = 4096
const maxSize = 4096

/**
 * Compiles a regular expression of Go (RE2 syntax), which any part of a text may match. Like Go's it cannot be made to
 * run long: nothing backtracks, and there are no back references and no look-around.
 * @throws InvalidInputError in Go's words for what Go refuses, for example `*`, and for expressions of more than 4096
 * characters, also when their repetitions are written out, so that none takes much memory
 */
export function compileGoRegex(pattern: string): Matcher {
  if (pattern.length > maxPatternLength || regexSize(pattern) > maxSize) {
    throw invalid(
      pattern,
      `it has more than ${maxSize} characters, its repetitions written out; make it simpler`,
    )
  }
  try {
    const regex = RE2JS.compile(pattern)
    return (text) => regex.test(text)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw invalid(pattern, error.message.replace(/^error parsing regexp: /, ''), error)
  }
}

function invalid(pattern: string, reason: string, cause?: Error): InvalidInputError {
  return new InvalidInputError(`regular expression ${JSON.stringify(shortened(pattern))}: ${reason}`, {
    cause,
  })
}
