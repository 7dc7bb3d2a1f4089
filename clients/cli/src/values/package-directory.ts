import { relative, sep } from 'node:path'
import { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { packageTree } from '@wadi/zarf/definition/package-tree.ts'
import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import type { PackageFiles } from '@wadi/zarf/definition/package-files.ts'
import { existingDirectory } from '../render/existing-directory.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { openWorkingTree } from '../render/working-tree.ts'

/** A package in a working copy. */
interface PackageDirectory {
  /** The files of the repository around it, or of the directory alone where there is no repository. */
  files: PackageFiles
  /** The same files, as the settings of a repository are read from them. */
  trace: TracingTree
  /** The directory of the package; empty for the root. */
  directory: string
}

/**
 * Opens a directory of a working copy, changes that are not committed included. Symlinks are followed inside the
 * repository; a file may have 10 MiB, all that is read 256 MiB.
 * @throws CommandFailure when there is no such directory
 */
export async function openPackageDirectory(
  directory: string,
  warn: (message: string) => void,
): Promise<PackageDirectory> {
  const place = await existingDirectory(directory)
  const root = nearestRepository(place)
  const trace = new TracingTree(await openWorkingTree(root, warn))
  const path = relative(root, place).split(sep).join('/')
  return { files: packageTree(trace, path, new InputCollector(trace)), trace, directory: path }
}
