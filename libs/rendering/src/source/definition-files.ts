import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { defaultManifestLimits, parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { LRUCache } from 'lru-cache'

const maxFiles = 2_000
const maxCharacters = 32 * 1024 * 1024

/** Definitions by the id of their directory, so that what many sources share is read once. */
const known = new LRUCache<string, Promise<readonly Manifest[]>>({ max: 4 })

/**
 * Reads the CustomResourceDefinitions in the YAML and JSON files of a directory and of those below it. Links are not followed.
 * @param id of the directory
 * @throws InvalidInputError for a file that is not manifests, ResourceExhaustedError for more than 2,000 files or 32 Mi characters
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
  const definitions: Manifest[] = []
  let characters = 0
  const files = await manifestFiles(tree, directory)
  for (const file of files) {
    const text = fileText(await tree.read(file, defaultManifestLimits.maxBytes), file)
    characters += text.length
    if (files.length > maxFiles || characters > maxCharacters) throw tooMany(directory)
    // Most of what a directory of this kind may have besides is not manifests.
    if (!text.includes('CustomResourceDefinition')) continue
    const manifests = parseManifests(text, { file })
    definitions.push(...manifests.filter(({ kind }) => kind === 'CustomResourceDefinition'))
  }
  return definitions
}

async function manifestFiles(tree: FileTree, directory: string): Promise<string[]> {
  const files: string[] = []
  for (const { name, kind } of await tree.list(directory)) {
    const path = childPath(directory, name)
    if (kind === 'directory') files.push(...(await manifestFiles(tree, path)))
    else if (/\.(?:ya?ml|json)$/.test(name) && (kind === 'file' || kind === 'executable')) files.push(path)
    if (files.length > maxFiles) throw tooMany(directory)
  }
  return files
}

function tooMany(directory: string): ResourceExhaustedError {
  const limits = `${maxFiles} files or ${maxCharacters} characters`
  return new ResourceExhaustedError(
    `definitions "${directory}" has more than ${limits}; name smaller directories`,
  )
}
