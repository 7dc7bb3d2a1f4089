import type { PathMap } from '@wadi/params/resolve/map-paths.ts'
import { parsePath } from '@wadi/params/values/path.ts'
import type { ChartValue } from '../definition/zarf-package.ts'

/** Reads the paths of a mapping. Throws what {@link parsePath} throws. */
export function pathMapOf({ sourcePath, targetPath, excludePaths }: ChartValue): PathMap {
  return {
    sourcePath: parsePath(sourcePath),
    targetPath: parsePath(targetPath),
    excludePaths: excludePaths.map(parsePath),
  }
}
