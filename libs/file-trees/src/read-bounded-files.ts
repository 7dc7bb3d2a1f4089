import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { followPath } from './follow-links.ts'
import { repositoryPath } from './repository-path.ts'

const maxFileBytes = 1024 * 1024
const maxTotalBytes = 8 * 1024 * 1024
/** Reads under way at a time, so that a request that is too large is noticed early. */
const width = 16

/**
 * The contents of files in the given order, links inside the repository followed.
 * @throws NotFoundError that names the path, InvalidInputError for a directory or a link that leads out of the
 *   repository, ResourceExhaustedError above 1 MiB for one file or 8 MiB for all
 */
export async function readBoundedFiles(
  tree: FileTree,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Buffer[]> {
  const contents: Buffer[] = []
  let total = 0
  const files: BoundedFile[] = []
  for (let at = 0; at < paths.length; at += width) {
    signal.throwIfAborted()
    files.push(...(await Promise.all(paths.slice(at, at + width).map((path) => follow(tree, path)))))
  }
  await tree.ready?.(files.map(({ target }) => target))
  for (let at = 0; at < files.length; at += width) {
    signal.throwIfAborted()
    const read = await Promise.all(files.slice(at, at + width).map((file) => readOne(tree, file)))
    for (const content of read) total += content.length
    if (total > maxTotalBytes) {
      throw new ResourceExhaustedError(
        `the files have more than ${maxTotalBytes} bytes together; ask for fewer at a time`,
      )
    }
    contents.push(...read)
  }
  return contents
}

/** A file as it was asked for, and where it is. */
type BoundedFile = { readonly path: string; readonly target: string }

async function follow(tree: FileTree, asked: string): Promise<BoundedFile> {
  const path = repositoryPath(asked, 'file')
  const found = await followPath(tree, path)
  if (!found) throw new NotFoundError(`there is no file ${JSON.stringify(path)} in the commit`)
  if (found.entry.kind === 'directory') {
    throw new InvalidInputError(`${JSON.stringify(path)} is a directory, not a file`)
  }
  return { path, target: found.target }
}

async function readOne(tree: FileTree, { path, target }: BoundedFile): Promise<Buffer> {
  try {
    return await tree.read(target, maxFileBytes)
  } catch (cause) {
    if (!(cause instanceof ResourceExhaustedError)) throw cause
    throw new ResourceExhaustedError(
      `file ${JSON.stringify(path)} has more than ${maxFileBytes} bytes; make it smaller`,
      { cause },
    )
  }
}
