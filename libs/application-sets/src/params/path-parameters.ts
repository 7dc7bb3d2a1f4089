import { posix } from 'node:path'
import { normalizedName } from './normalized-name.ts'
import type { ParameterValues } from './parameter-set.ts'

/** The parameters of a directory or file that a git generator found. */
export interface FoundPath {
  /** The directory, that of the file for files; `.` for the root. */
  directory: string
  /** The file's name; undefined for directories. */
  filename?: string
}

/**
 * The parameters of a found path. For the default engine `path`, `path.basename`, `path.basenameNormalized`, `path[0]`
 * and so on, for files `path.filename` and `path.filenameNormalized` too; for Go templates the map `path` with
 * `segments` for the numbered ones. With a prefix all of it stands below the prefix.
 */
export function pathParameters(
  { directory, filename }: FoundPath,
  prefix: string,
  isGoTemplate: boolean,
): ParameterValues {
  const basename = posix.basename(directory)
  const segments = directory.split('/')
  const names = {
    basename,
    basenameNormalized: normalizedName(basename),
    ...(filename !== undefined && { filename, filenameNormalized: normalizedName(filename) }),
  }
  if (isGoTemplate) {
    const path = { path: directory, ...names, segments }
    return prefix === '' ? { path } : { [prefix]: { path } }
  }
  const at = prefix === '' ? 'path' : `${prefix}.path`
  return Object.fromEntries([
    [at, directory],
    ...Object.entries(names).map(([name, value]) => [`${at}.${name}`, value]),
    ...segments.flatMap((segment, index) => (segment === '' ? [] : [[`${at}[${index}]`, segment]])),
  ])
}
