import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { repositoryPath } from '@wadi/file-trees/repository-path.ts'
import type { PolicyFile } from '@wadi/gates/gate.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { readManifestTexts } from './manifest-texts.ts'

const maxFileBytes = 1024 * 1024
const maxCharacters = 8 * 1024 * 1024

/**
 * Reads the files that `policies` of `wadi.yaml` names, and the YAML and JSON files of its directories and of those below.
 * @param part the value of `policies`
 * @throws InvalidInputError with the place of a path that is not there, ResourceExhaustedError above 8 Mi characters
 */
export async function readPolicyFiles(tree: FileTree, part: Located): Promise<PolicyFile[]> {
  const { value, at } = part
  const files = new Map<string, PolicyFile>()
  for (const path of isList(value) ? value : [value]) {
    if (typeof path !== 'string') {
      const reason = 'policies must be a list of directories and files of this repository'
      throw new InvalidInputError(reason, { at, path: 'policies' })
    }
    for (const file of await readPath(tree, path, part)) files.set(file.file, file)
  }
  const characters = files.values().reduce((sum, { text }) => sum + text.length, 0)
  if (characters > maxCharacters) {
    const reason = `policies has more than ${maxCharacters} characters; name smaller directories`
    throw new ResourceExhaustedError(reason, { at })
  }
  return [...files.values()]
}

async function readPath(tree: FileTree, path: string, { at }: Located): Promise<PolicyFile[]> {
  const found = await followPath(tree, repositoryPath(path, `${formatLocation(at)}: policies`))
  if (found === undefined) {
    const reason = `policies "${path}" does not exist; create it or remove it`
    throw new InvalidInputError(reason, { at, path: 'policies' })
  }
  const { target, entry } = found
  if (entry.kind === 'directory') return readManifestTexts(tree, target, 'policies')
  return [{ file: target, text: fileText(await tree.read(target, maxFileBytes), target) }]
}
