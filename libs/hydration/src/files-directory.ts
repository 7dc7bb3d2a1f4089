import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { hydratedFiles } from './hydrated-files.ts'
import { treePathError } from '@wadi/git/objects/tree-path.ts'

/** The directory of a hydrated directory with the files that belong to the manifests. */
export const filesDirectory = 'files'

/** Most files of one hydrated directory. */
const maxFiles = 1_000

/** Most bytes of all files of one hydrated directory; the largest fits into a message with room to spare. */
export const maxFilesBytes = 10 * 1024 * 1024

const maxPathBytes = 1024

/**
 * Checks files that are about to be written into the directory `files` of a hydrated directory.
 * @throws InvalidInputError naming a path that leaves the directory, comes twice or is the directory of another,
 * ResourceExhaustedError above 1,000 files or 10 MiB
 */
export function checkFiles(files: ReadonlyArray<{ readonly path: string; readonly content: string }>): void {
  if (files.length > maxFiles) {
    throw new ResourceExhaustedError(
      `${files.length} files beside the manifests of one directory are more than ${maxFiles}; split the source`,
    )
  }
  const paths = new Set<string>()
  let bytes = 0
  for (const { path, content } of files) {
    const reason = filePathError(path)
    if (reason !== undefined) throw refused(path, reason)
    if (paths.has(path)) throw refused(path, 'comes twice')
    paths.add(path)
    bytes += Buffer.byteLength(content)
  }
  if (bytes > maxFilesBytes) {
    throw new ResourceExhaustedError(
      `the files beside the manifests of one directory exceed ${maxFilesBytes} bytes; split the source`,
    )
  }
  for (const path of paths) {
    for (const parent of parentDirectories(path)) {
      if (paths.has(parent)) throw refused(parent, `is the directory of ${JSON.stringify(path)} too`)
    }
  }
}

/** Tells why a path cannot be that of a file in the directory `files`, as the end of a sentence; undefined if it can. */
function filePathError(path: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(path)) return 'has a control character or backslash'
  if (Buffer.byteLength(path) > maxPathBytes) return `is longer than ${maxPathBytes} bytes`
  // A directory with this file is taken for one that was hydrated.
  if (path.split('/').includes(hydratedFiles.metadata))
    return `has the name ${hydratedFiles.metadata}, which is kept for Wadi`
  return treePathError(path)
}

/**
 * The paths that `files` of a hydrator.metadata lists, each once. Anybody with push rights may have written it, so what
 * cannot be there is left out.
 */
export function recordedFiles(listed: unknown): string[] {
  const paths: unknown[] = Array.isArray(listed) ? listed : []
  const possible = paths
    .slice(0, maxFiles)
    .flatMap((path) => (typeof path === 'string' && filePathError(path) === undefined ? [path] : []))
  return [...new Set(possible)]
}

/** The directories that lead to a file, the outermost first. */
export function parentDirectories(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

function refused(path: string, reason: string): InvalidInputError {
  return new InvalidInputError(
    `file ${JSON.stringify(path.slice(0, 300))} cannot be written beside the manifests: it ${reason}; give it another target`,
  )
}
