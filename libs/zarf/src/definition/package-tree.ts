import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { PackageFiles } from './package-files.ts'
import { type FollowedPath, followPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { childPath, isBelow, parentPath, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** Most bytes that are read to plan one package, files read more than once counted each time. */
const maxBytes = 256 * 1024 * 1024

/** Largest file that a package is planned from, in bytes. */
const maxFileBytes = 10 * 1024 * 1024

/**
 * The files of a repository as a package reads them: links are followed, and every file that is read becomes an input.
 * @param directory the package's own directory, whose links have been followed already
 */
export function packageTree(trace: TracingTree, directory: string, inputs: InputCollector): PackageFiles {
  let left = maxBytes
  const find = async (path: string): Promise<FollowedPath | undefined> => {
    const normal = pathWithin('', path, 'path of a package')
    const found = await followPath(trace, normal)
    // The directory's id would make every change in it a change of the package.
    if (found === undefined && !isBelow(directory, parentPath(normal))) await trace.noteAbsence(normal)
    return found
  }
  return {
    read: async (path) => {
      const found = await find(path)
      if (found === undefined || found.entry.kind === 'directory') return undefined
      await inputs.add(found.path)
      const content = await trace.read(found.target, Math.min(left, maxFileBytes))
      left -= content.length
      if (left <= 0) {
        throw new ResourceExhaustedError(`"${path}": more than ${maxBytes} bytes to plan the package from`)
      }
      return content
    },
    list: async (path) => {
      const found = await find(path)
      if (found?.entry.kind !== 'directory') return undefined
      const entries = await trace.list(found.target)
      return await Promise.all(
        entries.map(async ({ name, kind }) => ({
          name,
          isDirectory:
            kind === 'symlink' ? await leadsToDirectory(trace, found.target, name) : kind === 'directory',
        })),
      )
    },
  }
}

/** A link that is wrong matters only once the package wants what it leads to. */
async function leadsToDirectory(trace: TracingTree, directory: string, name: string): Promise<boolean> {
  try {
    return (await followPath(trace, childPath(directory, name)))?.entry.kind === 'directory'
  } catch (error) {
    if (error instanceof InvalidInputError) return false
    throw error
  }
}
