import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { readLocatedDocuments, readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { cartographerRole } from '@wadi/supply-chains/read/read-objects.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/** Records beside a workload what only a live cluster would know. */
export const recordedOutputsFile = 'outputs.yaml'

/** Largest file that is looked into, in bytes, and most files of operators. */
const maxFileBytes = 64 * 1024 * 1024
const maxFiles = 10_000

/** Most text that the documents of one directory are read from, in characters. */
const maxText = 8 * 1024 * 1024

/** Returns true if the YAML files of a directory, without those in subdirectories, hold a `Workload` or a `Deliverable`. */
export async function isWorkload(tree: FileTree, path: string): Promise<boolean> {
  for (const file of await yamlFiles(tree, path, false)) {
    const content = await readFile(tree, file)
    if (!content.includes('carto.run/')) continue
    const documents = readLocatedDocuments(fileText(content, file), file)
    if (documents.some((document) => cartographerRole(document) === 'developer')) return true
  }
  return false
}

/** The documents of a directory's YAML files but the recorded outputs; each file becomes an input. */
export async function readDocuments(
  tree: FileTree,
  path: string,
  recursive: boolean,
  inputs: InputCollector,
): Promise<Located[]> {
  const documents: Located[] = []
  let length = 0
  for (const file of await yamlFiles(tree, path, recursive)) {
    await inputs.add(file)
    const text = fileText(await readFile(tree, file), file)
    length += text.length
    if (length > maxText) {
      throw new ResourceExhaustedError(
        `"${path || '.'}" has more than ${maxText} characters of YAML beside workloads or of operators; split it`,
      )
    }
    documents.push(...readLocatedDocuments(text, file))
  }
  return documents
}

/** The document of one file, which becomes an input; undefined if there is none. */
export async function readDocument(
  tree: FileTree,
  path: string,
  inputs: InputCollector,
): Promise<Located | undefined> {
  if ((await inputs.add(path)) === undefined) return undefined
  return readLocatedYaml(fileText(await readFile(tree, path), path), path, { rules: 'kubernetes' })
}

async function yamlFiles(tree: FileTree, path: string, recursive: boolean): Promise<string[]> {
  const files: string[] = []
  const walk = async (directory: string): Promise<void> => {
    const target = (await followPath(tree, directory))?.target ?? directory
    for (const { name, kind } of await tree.list(target)) {
      const file = childPath(directory, name)
      if (kind === 'directory' && recursive) await walk(file)
      if (kind === 'directory' || kind === 'submodule' || !/^[^.].*\.ya?ml$/.test(name)) continue
      if (name === recordedOutputsFile) continue
      const found = await followPath(tree, file)
      if (found === undefined || found.entry.kind === 'directory') continue
      files.push(file)
      if (files.length > maxFiles) {
        throw new ResourceExhaustedError(`"${path || '.'}" has more than ${maxFiles} YAML files; split it`)
      }
    }
  }
  await walk(path)
  return files
}

async function readFile(tree: FileTree, path: string): Promise<Buffer> {
  const found = await followPath(tree, path)
  return await tree.read(found?.target ?? path, maxFileBytes)
}
