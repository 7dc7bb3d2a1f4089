import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { LimitFunction } from 'p-limit'
import { GzipMember, gzipAtOnce } from './gzip-member.ts'
import type { SelectedDirectory } from './selected-directories.ts'
import { tarBlockBytes, tarHeader, tarPadding } from './tar-header.ts'

/** The entries directly in one directory as a gzip member: such members one after the other read as one archive. */
export interface PackedDirectory {
  readonly bytes: Buffer
  /** Size before compression. */
  readonly unpackedBytes: number
  /** The number of regular files. */
  readonly files: number
  readonly links: ReadonlyArray<readonly [path: string, target: string]>
}

/** The limits of packing. */
export interface PackingBounds {
  /** Most bytes of the directory before compression. */
  readonly maxBytes: number
  /** Decides whose large file is in memory. */
  readonly largeFiles: LimitFunction
  readonly signal: AbortSignal
}

const maxTargetLength = 4096
// Files up to this size are read several at a time.
const smallFileBytes = 1024 ** 2
const readAtOnce = 16

/** The member that ends an archive: tar's two blocks of zeros. */
export const endOfArchive: Buffer = gzipAtOnce(Buffer.alloc(2 * tarBlockBytes))

/**
 * Packs a directory and the entries directly in it; equal entries give equal bytes.
 * @throws ResourceExhaustedError above `maxBytes`
 */
export async function packDirectory(
  tree: FileTree,
  directory: SelectedDirectory,
  bounds: PackingBounds,
): Promise<PackedDirectory> {
  using member = new GzipMember()
  const links: [string, string][] = []
  let files = 0
  let unpackedBytes = 0
  const write = async (...blocks: readonly Buffer[]): Promise<void> => {
    bounds.signal.throwIfAborted()
    for (const block of blocks) {
      unpackedBytes += block.length
      if (unpackedBytes > bounds.maxBytes) throw tooManyBytes(bounds.maxBytes, directory.path)
      await member.write(block)
    }
  }
  const writeFile = (path: string, kind: 'file' | 'executable', content: Buffer): Promise<void> => {
    files += 1
    return write(tarHeader({ kind, path, size: content.length }), content, tarPadding(content.length))
  }

  await write(tarHeader({ kind: 'directory', path: directory.path || '.' }))
  for (let at = 0; at < directory.entries.length; at += readAtOnce) {
    const some = directory.entries.slice(at, at + readAtOnce)
    const contents = await Promise.all(some.map((entry) => readSmall(tree, directory.path, entry)))
    for (const [index, { name, kind }] of some.entries()) {
      const path = childPath(directory.path, name)
      const content = contents[index]
      if (kind === 'directory' || kind === 'submodule') await write(tarHeader({ kind: 'directory', path }))
      else if (kind === 'symlink') {
        const target = content?.toString() ?? ''
        links.push([path, target])
        await write(tarHeader({ kind, path, target }))
      } else if (content !== undefined) await writeFile(path, kind, content)
      else {
        await bounds.largeFiles(async () =>
          writeFile(path, kind, await readLarge(tree, path, bounds.maxBytes)),
        )
      }
    }
  }
  return { bytes: await member.end(), unpackedBytes, files, links }
}

/** The content of a file or symlink; undefined for a large file and for what has none. */
async function readSmall(tree: FileTree, directory: string, entry: FileEntry): Promise<Buffer | undefined> {
  const path = childPath(directory, entry.name)
  if (entry.kind === 'symlink') return tree.read(path, maxTargetLength)
  if (entry.kind === 'directory' || entry.kind === 'submodule') return undefined
  try {
    return await tree.read(path, smallFileBytes)
  } catch (error) {
    if (error instanceof ResourceExhaustedError) return undefined
    throw error
  }
}

async function readLarge(tree: FileTree, path: string, maxBytes: number): Promise<Buffer> {
  try {
    return await tree.read(path, maxBytes)
  } catch (error) {
    throw error instanceof ResourceExhaustedError ? tooManyBytes(maxBytes, path, error) : error
  }
}

/** The error for files that are too large together, where a path is the last one. */
export function tooManyBytes(maxBytes: number, path: string, cause?: Error): ResourceExhaustedError {
  return new ResourceExhaustedError(
    `a plugin would get more than ${maxBytes} bytes of files, up to "${path}"; name those that it needs in the annotation argocd.argoproj.io/manifest-generate-paths`,
    { cause },
  )
}
