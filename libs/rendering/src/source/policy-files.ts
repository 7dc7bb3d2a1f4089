import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, repositoryPath } from '@wadi/file-trees/repository-path.ts'
import type { PolicyFile } from '@wadi/gates/gate.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import type { Located } from '@wadi/params/values/value.ts'

const maxFiles = 1_000
const maxFileBytes = 1024 * 1024
const maxCharacters = 8 * 1024 * 1024

/**
 * Reads the files that `policies` of `wadi.yaml` names, and the YAML and JSON files of its directories and of those below. Links below are not followed.
 * @param part the value of `policies`
 * @throws InvalidInputError with the place of a path that is not there, ResourceExhaustedError above 1,000 files or 8 Mi characters
 */
export async function readPolicyFiles(tree: FileTree, part: Located): Promise<PolicyFile[]> {
  const files: PolicyFile[] = []
  let characters = 0
  for (const path of await namedFiles(tree, part)) {
    const text = fileText(await tree.read(path, maxFileBytes), path)
    characters += text.length
    if (files.length >= maxFiles || characters > maxCharacters) {
      const limits = `${maxFiles} files or ${maxCharacters} characters`
      throw new ResourceExhaustedError(`policies has more than ${limits}; name smaller directories`, {
        at: part.at,
      })
    }
    files.push({ file: path, text })
  }
  return files
}

async function namedFiles(tree: FileTree, { value, at }: Located): Promise<string[]> {
  const files: string[] = []
  for (const path of isList(value) ? value : [value]) {
    if (typeof path !== 'string') {
      const reason = 'policies must be a list of directories and files of this repository'
      throw new InvalidInputError(reason, { at, path: 'policies' })
    }
    const found = await followPath(tree, repositoryPath(path, `${formatLocation(at)}: policies`))
    if (found === undefined) {
      throw new InvalidInputError(`policies "${path}" does not exist; create it or remove it`, {
        at,
        path: 'policies',
      })
    }
    files.push(
      ...(found.entry.kind === 'directory' ? await manifestFiles(tree, found.target) : [found.target]),
    )
  }
  return [...new Set(files)]
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
