import { byBytes } from '@wadi/order/by-bytes.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Automaton, Positions } from '@wadi/patterns/automaton.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'
import { compilePathPattern } from './path-pattern.ts'

/** The wanted paths of a commit. */
export interface PathQuery {
  kind: 'directories' | 'files'
  includes: readonly string[]
  excludes: readonly string[]
  /** True if directories whose name begins with a dot are included, with everything below them. */
  hidden: boolean
}

/** The limits of one search. */
interface FindLimits {
  paths: number
  /** Directory entries looked at. */
  entries: number
  /** Comparisons of characters. */
  steps: number
}

/**
 * The limits of the service.
 * @internal
 */
export const findLimits: FindLimits = { paths: 20_000, entries: 500_000, steps: 100_000_000 }

/** Entries between two turns of the event loop. */
const entriesPerTurn = 2_000

interface Place {
  path: string
  includes: readonly Positions[]
  excludes: readonly Positions[]
}

/**
 * The directories or files that one include and no exclude matches, sorted by bytes. Only directories below which an
 * include can match are looked at. Symlinks are files and never followed; submodules are nothing.
 * @throws InvalidInputError for a wrong pattern, ResourceExhaustedError above a limit
 */
export async function findPaths(
  tree: FileTree,
  query: PathQuery,
  signal: AbortSignal,
  limits = findLimits,
): Promise<string[]> {
  const includes = query.includes.map((pattern) => compilePathPattern(pattern, query.kind))
  const excludes = query.excludes.map((pattern) => compilePathPattern(pattern, query.kind))
  const found: string[] = []
  let entries = 0
  let steps = 0
  const spend = (count: number): void => {
    steps += count
    if (steps > limits.steps) throw exhausted('the patterns take too much work; make them simpler')
  }
  const advance = (patterns: readonly Automaton[], from: readonly Positions[], text: string): Positions[] =>
    patterns.map((pattern, index) => pattern.advance(from[index] ?? pattern.start, text, spend))
  const start = (patterns: readonly Automaton[]): Positions[] => patterns.map((pattern) => pattern.start)
  const places: Place[] = [{ path: '', includes: start(includes), excludes: start(excludes) }]
  for (let place = places.pop(); place; place = places.pop()) {
    if (place.includes.every((positions) => positions.states.length === 0)) continue
    for (const entry of await tree.list(place.path)) {
      entries += 1
      if (entries > limits.entries) {
        throw exhausted(
          `more than ${limits.entries} files would be searched; begin patterns with a directory`,
        )
      }
      if (entries % entriesPerTurn === 0) {
        await nextTurn()
        signal.throwIfAborted()
      }
      if (entry.kind === 'submodule' || isHidden(entry, query)) continue
      const isDirectory = entry.kind === 'directory'
      if (!isDirectory && query.kind === 'directories') continue
      const child: Place = {
        path: childPath(place.path, entry.name),
        includes: advance(includes, place.includes, entry.name),
        excludes: advance(excludes, place.excludes, entry.name),
      }
      if (isDirectory) {
        places.push({
          path: child.path,
          includes: advance(includes, child.includes, '/'),
          excludes: advance(excludes, child.excludes, '/'),
        })
      }
      if (isDirectory !== (query.kind === 'directories')) continue
      if (!child.includes.some(isMatch) || child.excludes.some(isMatch)) continue
      found.push(child.path)
      if (found.length > limits.paths) {
        throw exhausted(`more than ${limits.paths} ${query.kind} match; make the patterns narrower`)
      }
    }
  }
  return found.toSorted(byBytes)
}

function isMatch(positions: Positions): boolean {
  return positions.isMatch
}

function isHidden({ name, kind }: FileEntry, { hidden }: PathQuery): boolean {
  return !hidden && kind === 'directory' && name.startsWith('.')
}

function exhausted(message: string): ResourceExhaustedError {
  return new ResourceExhaustedError(message)
}
