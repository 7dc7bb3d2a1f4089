import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { defaultManifestLimits } from '@wadi/manifests/parse-manifests.ts'

const maxFiles = 2_000
const maxCharacters = 32 * 1024 * 1024

/** A file of manifests. */
interface ManifestText {
  /** The path in the repository. */
  readonly file: string
  readonly text: string
}

/**
 * Reads the YAML and JSON files of a directory and of those below it. Links are not followed.
 * @param key the setting that names the directory, for messages
 * @throws InvalidInputError for a file that is not text, ResourceExhaustedError for more than 2,000 files or 32 Mi characters
 */
export async function readManifestTexts(
  tree: FileTree,
  directory: string,
  key: string,
): Promise<ManifestText[]> {
  const texts: ManifestText[] = []
  let characters = 0
  const files = await manifestFiles(tree, directory)
  await tree.ready?.(files)
  for (const file of files) {
    const text = fileText(await tree.read(file, defaultManifestLimits.maxBytes), file)
    characters += text.length
    texts.push({ file, text })
    if (texts.length > maxFiles || characters > maxCharacters) {
      const limits = `${maxFiles} files or ${maxCharacters} characters`
      const reason = `${key} "${directory}" has more than ${limits}; name smaller directories`
      throw new ResourceExhaustedError(reason)
    }
  }
  return texts
}

async function manifestFiles(tree: FileTree, directory: string): Promise<string[]> {
  const files: string[] = []
  for (const { name, kind } of await tree.list(directory)) {
    const path = childPath(directory, name)
    if (kind === 'directory') files.push(...(await manifestFiles(tree, path)))
    else if (/\.(?:ya?ml|json)$/.test(name) && (kind === 'file' || kind === 'executable')) files.push(path)
    if (files.length > maxFiles) break
  }
  return files
}
