import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { RenderSource } from './source.ts'

/** The file in which all Applications of a directory have their options. */
export const sharedOverrideFile = '.argocd-source.yaml'

/** The file of one Application, which overrides the shared one; undefined for a name that could lead elsewhere. */
export function ownOverrideFile(applicationName: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(applicationName)
    ? `.argocd-source-${applicationName}.yaml`
    : undefined
}

/**
 * The first of several Applications that share a result speaks for all, so the files of all must have the same content.
 * @throws InvalidInputError for a file of one that is not that of another, with its place
 */
export async function refuseOtherOptions(
  tree: FileTree,
  path: string,
  { applicationName, sharedWith = [] }: RenderSource,
): Promise<void> {
  if (sharedWith.length === 0) return
  const ownFile = async (application: string) => {
    const name = ownOverrideFile(application)
    const found = name === undefined ? undefined : await followPath(tree, childPath(path, name))
    return { application, file: found?.path ?? '', id: found?.entry.id }
  }
  const first = await ownFile(applicationName)
  for (const name of sharedWith) {
    const other = await ownFile(name)
    if (other.id === first.id) continue
    const [held, without] = other.id === undefined ? [first, other] : [other, first]
    throw new InvalidInputError(
      `these options of application ${held.application} are not those of application ${without.application}, which is hydrated to the same path; move them to ${sharedOverrideFile}, or give each a path of its own`,
      { at: { file: held.file, line: 1 } },
    )
  }
}
