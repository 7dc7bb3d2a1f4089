import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { assign, locatedBelow } from './assign.ts'
import { decide } from './decide.ts'
import type { Contribution, Decision } from './decide.ts'
import { formatPath, isDescendant } from '../values/path.ts'
import type { Path } from '../values/path.ts'
import { leavesOf } from './resolve.ts'
import type { Resolution } from './resolve.ts'
import { isList, typeName } from '../values/value-tree.ts'
import type { OwnMap } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located, Provenance, Value } from '../values/value.ts'

/** The target in one tree of a part of another. */
export interface PathMap {
  sourcePath: Path
  targetPath: Path
  /** Parts of the source that do not go along; each below the source path. */
  excludePaths?: readonly Path[]
}

/**
 * Returns a tree of its own with the parts that the maps name, applied in order. Maps of values that meet at a target are
 * merged, everything else is replaced by the later. Excluding a missing path is not an error.
 *
 * @param guard Called with the position of each map and the step that applies it, which throws; lets the caller distinguish errors.
 * @throws InvalidInputError when a source is missing, or a path leads through something that is not a map.
 * @internal
 */
export function mapPaths(source: Value, maps: readonly PathMap[], guard: MapGuard = unguarded): Value {
  const target: OwnMap = new Map()
  for (const [index, { sourcePath, targetPath, excludePaths = [] }] of maps.entries()) {
    guard(index, () => assign(target, targetPath, extract(source, sourcePath, excludePaths)))
  }
  return target
}

/** Runs the step that applies one of several maps, by its position. */
type MapGuard = (index: number, step: () => void) => void

const unguarded: MapGuard = (_index, step) => step()

function extract(source: Value, sourcePath: Path, excludePaths: readonly Path[]): Value {
  let current = without(source, excludePaths)
  for (const [depth, key] of sourcePath.entries()) {
    if (!isValueMap(current)) throw untraversable(sourcePath, sourcePath[depth - 1] ?? '', current)
    const next = current.get(key)
    if (next === undefined) throw notFound(sourcePath, key)
    current = next
  }
  return current
}

/** Returns the value without what the paths lead to. Only the maps on the way to it are new ones. */
function without(value: Value, paths: readonly Path[]): Value {
  if (paths.length === 0 || !isValueMap(value)) return value
  const rest: OwnMap = new Map(value)
  for (const path of paths) {
    const [key = '', ...below] = path
    const member = rest.get(key)
    if (below.length === 0) rest.delete(key)
    else if (member !== undefined) rest.set(key, without(member, [below]))
  }
  return rest
}

function notFound(sourcePath: Path, key: string): InvalidInputError {
  const message = `key ${JSON.stringify(key)} not found in path ${formatPath(sourcePath)}`
  return new InvalidInputError(`unable to extract value source: ${message}`)
}

function untraversable(sourcePath: Path, key: string, found: Value): InvalidInputError {
  const message = `key ${JSON.stringify(key)} contains ${typeName(found)}, expected map`
  return new InvalidInputError(
    `unable to extract value source: cannot traverse path ${formatPath(sourcePath)}: ${message}`,
  )
}

/** Maps the tree of a resolution like {@link mapPaths}, and records what decided each part of the result. */
export function mapResolution(
  source: Resolution,
  maps: readonly PathMap[],
  guard: MapGuard = unguarded,
): Resolution {
  const tree = mapPaths(source.tree, maps, guard)
  let trees: Located[] | undefined
  const decisionAt = (path: Path): Decision | undefined => {
    trees ??= maps.map(({ sourcePath, targetPath, excludePaths = [] }) =>
      locatedBelow(targetPath, { value: extract(source.tree, sourcePath, excludePaths), at: nowhere }),
    )
    return decide(trees, path, 'deep')
  }
  const whyOf = ({ index, path, located }: Contribution): Provenance | undefined => {
    const map = maps[index]
    if (map === undefined) return undefined
    if (!isDescendant(map.targetPath, path)) {
      return source.why([...map.sourcePath, ...path.slice(map.targetPath.length)])
    }
    const whole = source.why(map.sourcePath)
    return whole && { ...whole, winner: { ...whole.winner, value: located.value } }
  }
  const why = (path: Path): Provenance | undefined => {
    const decision = decisionAt(path)
    const decided = decision && whyOf(decision.winner)
    if (decision === undefined || decided === undefined) return undefined
    const others = decision.overridden.map(whyOf).filter((provenance) => provenance !== undefined)
    return {
      winner: decided.winner,
      overridden: [...decided.overridden, ...others.flatMap((other) => [other.winner, ...other.overridden])],
    }
  }
  const stepAt = (path: Path): string => {
    const map = maps[decisionAt(path)?.winner.index ?? 0]
    return map === undefined ? '' : `${formatPath(map.sourcePath)} -> ${formatPath(map.targetPath)}`
  }
  return {
    tree,
    why,
    leaves: (isOf) => leavesOf(tree, why, { isOf }),
    located: () => locate(tree, [], why, stepAt),
  }
}

/** The place of what has its place in the source of a mapping. */
const nowhere: Location = { file: '' }

function locate(
  value: Value,
  path: Path,
  why: (path: Path) => Provenance | undefined,
  stepAt: (path: Path) => string,
): Located {
  const provenance = why(path)
  const at = provenance?.winner.at ?? nowhere
  const members = isValueMap(value) ? [...value] : isList(value) ? listEntries(value) : undefined
  if (members === undefined) {
    return provenance === undefined
      ? { value, at }
      : { value, at, derivedFrom: { step: stepAt(path), why: provenance } }
  }
  const parts = new Map(
    members.map(([key, member]) => [key, locate(member, [...path, key], why, stepAt)] as const),
  )
  return { value, at, parts }
}

function listEntries(list: readonly Value[]): [string, Value][] {
  return list.map((item, position) => [String(position), item])
}
