import type { PathMap } from '@wadi/params/map-paths.ts'
import { parsePath } from '@wadi/params/path.ts'
import type { ChartValue } from './zarf-package.ts'

/** Reads the paths of a mapping. Throws what {@link parsePath} throws. */
export function pathMapOf({ sourcePath, targetPath, excludePaths }: ChartValue): PathMap {
  return {
    sourcePath: parsePath(sourcePath),
    targetPath: parsePath(targetPath),
    excludePaths: excludePaths.map(parsePath),
  }
}
