import { posix } from 'node:path'
import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'

/** The files that a package may read: those of one commit. Paths are from the root of the repository. */
export interface PackageFiles {
  /** Returns the content of a file, or undefined when there is no file of that path. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Returns what a directory holds, or undefined when there is no directory of that path. */
  list(directory: string): Promise<readonly { name: string; isDirectory: boolean }[] | undefined>
}

/** The largest file that is read as text. */
const maxTextBytes = 10 * 1024 * 1024

const urlStart = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//

/** True if a string names something on a network and not a file. */
export function isUrl(text: string): boolean {
  return urlStart.test(text)
}

/** Returns a path that is written in a file of `directory` as a path from the directory that `directory` is written from. */
export function rebase(directory: string, path: string): string {
  return isUrl(path) || posix.isAbsolute(path) ? path : posix.normalize(posix.join(directory, path))
}

/**
 * Returns the path from the root of the repository of what a file in `directory` names.
 *
 * @throws InvalidInputError when the path is absolute, a URL, or leads out of the repository.
 */
export function pathInRepository(directory: string, path: string): string {
  if (isUrl(path)) {
    throw new InvalidInputError(`${path} is not in git: add a copy to the repository and name it by its path`)
  }
  if (posix.isAbsolute(path) || path.includes('\0')) {
    throw new InvalidInputError(`${path} is an absolute path: name files from the directory of the package`)
  }
  const joined = posix.normalize(posix.join(directory === '' ? '.' : directory, path)).replace(/\/+$/, '')
  if (joined === '..' || joined.startsWith('../')) {
    throw new InvalidInputError(`${path} leads out of the repository`)
  }
  return joined === '.' ? '' : joined
}

/**
 * Reads a file as text.
 *
 * @throws NotFoundError when it is missing.
 * @throws ResourceExhaustedError when it is larger than 10 MiB.
 * @throws InvalidInputError when it is not text in UTF-8.
 */
export async function readText(files: PackageFiles, path: string): Promise<string> {
  const content = await files.read(path)
  if (content === undefined) {
    throw new NotFoundError(`open ${path}: no such file`)
  }
  if (content.length > maxTextBytes) {
    throw new ResourceExhaustedError(
      `${path} has ${content.length} bytes, ${maxTextBytes} are allowed: split the file`,
    )
  }
  const text = fileText(content, path).replace(/^\uFEFF/, '')
  const zero = text.indexOf('\0')
  if (zero !== -1) {
    throw new InvalidInputError('a zero byte, so this is not text; save the file as UTF-8', {
      at: { file: path, line: lineAt(text, zero) },
    })
  }
  return text
}
