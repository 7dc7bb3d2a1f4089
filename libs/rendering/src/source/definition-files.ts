import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { LRUCache } from 'lru-cache'
import { readManifestTexts } from './manifest-texts.ts'

/** Definitions by the id of their directory, so that what many sources share is read once. */
const known = new LRUCache<string, Promise<readonly Manifest[]>>({ max: 4 })

/**
 * Reads the CustomResourceDefinitions in the YAML and JSON files of a directory and of those below it. Links are not followed.
 * @param id of the directory
 * @throws InvalidInputError for a file that is not manifests, and what `readManifestTexts` throws
 */
export function readDefinitionFiles(
  tree: FileTree,
  directory: string,
  id: string,
): Promise<readonly Manifest[]> {
  const reading = known.get(id) ?? readFiles(tree, directory)
  known.set(id, reading)
  reading.catch(() => known.delete(id))
  return reading
}

async function readFiles(tree: FileTree, directory: string): Promise<Manifest[]> {
  const files = await readManifestTexts(tree, directory, 'definitions')
  // Most of what a directory of this kind may have besides is not manifests.
  const some = files.filter(({ text }) => text.includes('CustomResourceDefinition'))
  return some
    .flatMap(({ file, text }) => parseManifests(text, { file }))
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
}
