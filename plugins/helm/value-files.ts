import { expandGlob, isGlob } from './glob.ts'
import { UserError } from './user-error.ts'
import { kindOf, pathWithin, type Repository } from './repository.ts'

/**
 * The value files in the order in which Helm gets them, relative to the root. No file comes twice: of those that a glob
 * finds, the ones that are also named keep the place where they are named.
 */
export function findValueFiles(repository: Repository, given: readonly string[], mayLack: boolean): string[] {
  const named = new Set(
    given.filter((file) => !isGlob(file)).map((file) => pathWithin(repository.path, file, 'value file')),
  )
  const found = new Set<string>()
  for (const file of given) {
    refuseUrl(file, 'value file')
    const path = pathWithin(repository.path, file, 'value file')
    const matches = isGlob(file) ? expandGlob(repository, path) : [path]
    if (matches.length === 0 && !mayLack) {
      throw new UserError(
        `value files glob "${file}" matched no files; correct it or set ignore-missing-value-files`,
      )
    }
    for (const match of matches) {
      if (isGlob(file) && named.has(match)) continue
      if (isFile(repository, match, 'value file', mayLack)) found.add(match)
    }
  }
  return [...found]
}

/** The file whose content becomes a value, relative to the root. */
export function findParameterFile(repository: Repository, given: string): string {
  refuseUrl(given, 'file parameter')
  const path = pathWithin(repository.path, given, 'file parameter')
  isFile(repository, path, 'file parameter', false)
  return path
}

function isFile(repository: Repository, path: string, what: string, mayLack: boolean): boolean {
  const kind = kindOf(repository, path, what)
  if (kind === 'directory') throw new UserError(`${what} "${path}" is a directory; name a file`)
  if (kind === undefined && !mayLack) {
    throw new UserError(`${what} "${path}" does not exist; create it, correct the name or remove it`)
  }
  return kind !== undefined
}

function refuseUrl(path: string, what: string): void {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    throw new UserError(
      `${what} "${path}" is a URL; commit the file, as only files of the repository are read`,
    )
  }
}
