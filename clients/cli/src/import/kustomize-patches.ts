import { posix } from 'node:path'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath, parentPath } from '@wadi/file-trees/repository-path.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { maxFileBytes } from '../diff/local/application-files.ts'

/** The names that the file of a kustomization may have. */
export const kustomizationNames: readonly string[] = [
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]

/** Returns those of some files that kustomizations around them use as patches, each with the file of the kustomization. */
export async function kustomizePatches(
  tree: FileTree,
  files: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const patchesOf = new Map<string, Promise<ReadonlyMap<string, string>>>()
  const patches = new Map<string, string>()
  for (const file of files) {
    for (let at = file; at !== '';) {
      at = parentPath(at)
      if (!patchesOf.has(at)) patchesOf.set(at, patchesIn(tree, at))
      const kustomization = (await patchesOf.get(at))?.get(file)
      if (kustomization !== undefined) patches.set(file, kustomization)
    }
  }
  return patches
}

async function patchesIn(tree: FileTree, directory: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const name of kustomizationNames) {
    const path = childPath(directory, name)
    for (const patch of await patchPaths(tree, path)) found.set(posix.join(directory, patch), path)
  }
  return found
}

/** The paths of patches in a kustomization; none of one that cannot be read. */
async function patchPaths(tree: FileTree, path: string): Promise<string[]> {
  try {
    if ((await tree.entry(path))?.kind !== 'file') return []
    const text = (await tree.read(path, maxFileBytes)).toString()
    const kustomization = readYaml(text, path).documents[0]?.value
    const entries = ['patches', 'patchesJson6902'].flatMap((field) => listAt(kustomization, field))
    return [...listAt(kustomization, 'patchesStrategicMerge'), ...entries].flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [textAt(entry, 'path')].filter((patch) => patch !== ''),
    )
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return []
  }
}
