import { relative, sep } from 'node:path'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileTree } from '@wadi/rendering/file-tree.ts'
import { followPath } from '@wadi/rendering/follow-links.ts'
import { openFolderTree } from '@wadi/rendering/folder-tree.ts'
import { childPath, repositoryPath } from '@wadi/rendering/repository-path.ts'
import type { PackageFiles } from '@wadi/zarf/package-files.ts'
import { existingFolder } from '../existing-folder.ts'
import { nearestRepository } from '../render-folder.ts'

const maxFileBytes = 10 * 1024 * 1024
const maxTotalBytes = 256 * 1024 * 1024

/** A package in a working copy. */
interface PackageFolder {
  /** The files of the repository around it, or of the folder alone where there is no repository. */
  files: PackageFiles
  /** Where the package is in them; empty for the root. */
  folder: string
}

/**
 * Opens a folder of a working copy, changes that are not committed included. Symlinks are followed inside the
 * repository; a file may have 10 MiB, all that is read 256 MiB.
 * @throws CommandFailure when there is no such folder
 */
export async function openPackageFolder(folder: string): Promise<PackageFolder> {
  const place = await existingFolder(folder)
  const root = nearestRepository(place)
  return {
    files: packageFiles(openFolderTree(root)),
    folder: relative(root, place).split(sep).join('/'),
  }
}

function packageFiles(tree: FileTree): PackageFiles {
  let total = 0
  return {
    read: async (path) => {
      const found = await followPath(tree, repositoryPath(path, 'file'))
      if (found === undefined || found.entry.kind === 'directory') return undefined
      const content = await tree.read(found.target, maxFileBytes)
      total += content.length
      if (total > maxTotalBytes) {
        throw new ResourceExhaustedError(
          `the files that the package names have more than ${maxTotalBytes} bytes together: split the package`,
        )
      }
      return content
    },
    list: async (folder) => {
      const found = await followPath(tree, repositoryPath(folder, 'folder'))
      if (found?.entry.kind !== 'directory') return undefined
      const entries = await tree.list(found.target)
      return Promise.all(
        entries.map(async (entry) => ({
          name: entry.name,
          isDirectory: await isDirectory(tree, childPath(found.target, entry.name), entry),
        })),
      )
    },
  }
}

async function isDirectory(tree: FileTree, path: string, { kind }: FileEntry): Promise<boolean> {
  if (kind !== 'symlink') return kind === 'directory'
  try {
    return (await followPath(tree, path))?.entry.kind === 'directory'
  } catch (error) {
    // A link that leads nowhere is a fault of what names it, not of the folder it lies in.
    if (error instanceof InvalidInputError) return false
    throw error
  }
}
