import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { PathMap } from '@wadi/params/map-paths.ts'
import { parsePath, quoted } from '@wadi/params/path.ts'
import type { Path } from '@wadi/params/path.ts'
import type { ChartValue } from './zarf-package.ts'

/** The most keys of a path: values files are not nested deeper either. */
const MAXIMUM_KEYS = 200

/**
 * Returns a path that is short enough for values to be set at it.
 *
 * @throws ResourceExhaustedError naming the path.
 */
export function boundedPath(path: Path): Path {
  if (path.length <= MAXIMUM_KEYS) return path
  throw new ResourceExhaustedError(
    `the path ${quoted(`.${path.join('.')}`)} has ${path.length} keys, ${MAXIMUM_KEYS} are allowed: shorten it`,
  )
}

/** Reads the paths of a mapping. Throws what parsePath and {@link boundedPath} throw. */
export function pathMapOf({ sourcePath, targetPath, excludePaths }: ChartValue): PathMap {
  const read = (path: string): Path => boundedPath(parsePath(path))
  return {
    sourcePath: read(sourcePath),
    targetPath: read(targetPath),
    excludePaths: excludePaths.map(read),
  }
}
