import { stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { CommandFailure } from '../command-line/command-failure.ts'

/** True for a path that is one of some places or below it; `''` is the root. */
export function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => place === '' || path === place || path.startsWith(`${place}/`))
}

/** Returns a directory, or the one that a file is in, as an absolute path. @throws CommandFailure for what does not exist */
export async function directoryOf(place: string): Promise<string> {
  const path = resolve(place)
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new CommandFailure(`${place} does not exist`)
  return stats.isDirectory() ? path : resolve(path, '..')
}

/** Returns a path from the root of the repository. @throws CommandFailure for one that is not below it */
export function insidePath(root: string, place: string): string {
  const path = relative(root, resolve(place)).split(sep).join('/')
  if (path !== '..' && !path.startsWith('../')) return path
  throw new CommandFailure(`${place} is not inside ${root}; import the files of one repository at a time`)
}
