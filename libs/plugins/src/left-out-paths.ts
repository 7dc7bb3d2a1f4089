import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'

/** Paths from the root of a repository that plugins do not receive. */
export interface LeftOutPaths {
  /** Returns whether a file or directory is left out; what is below a directory that is, is too. */
  has(path: string): boolean
  /** Returns whether a path or a directory above it is left out. */
  hasAbove(path: string): boolean
}

/**
 * Reads patterns of Go's `filepath.Match` for whole paths, as Argo CD takes them.
 * @throws InvalidInputError for one that Go refuses
 */
export function leftOutPaths(patterns: readonly string[]): LeftOutPaths {
  const matchers = patterns.map((pattern) => compileMatcher(parseGoFileMatch(pattern)))
  const has = (path: string): boolean => matchers.some((matches) => matches(path))
  const hasAbove = (path: string): boolean => {
    const names = path.split('/')
    return matchers.length > 0 && names.some((_, index) => has(names.slice(0, index + 1).join('/')))
  }
  return { has, hasAbove }
}
