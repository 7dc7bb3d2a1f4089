const maxPatternLength = 2000

/**
 * Compiles the regular expression of a schema. Zarf's are Go's: what JavaScript refuses with its stricter grammar
 * (`[\w-.]`) is read with the looser one, and `(?i)` may stand in front. How long a match takes is for the caller to
 * bound.
 *
 * @throws SyntaxError for what is no expression of JavaScript, or a very long one.
 */
export function compilePattern(pattern: string): RegExp {
  if (pattern.length > maxPatternLength) {
    throw new SyntaxError(`a pattern is longer than ${maxPatternLength} characters`)
  }
  const ignoresCase = pattern.startsWith('(?i)')
  const source = ignoresCase ? pattern.slice(4) : pattern
  const flags = ignoresCase ? 'i' : ''
  try {
    return new RegExp(source, `u${flags}`)
  } catch {
    return new RegExp(source, flags)
  }
}

// ajv asks for it, to write a checker to a file.
compilePattern.code = 'new RegExp'
