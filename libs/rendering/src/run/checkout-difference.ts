import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import {
  type AttributesFile,
  changesSomething,
  checkoutChanges,
  inCheckout,
} from '@wadi/file-trees/checkout-changes.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath, nameOf, parentPath, rootOf, shownPath } from '@wadi/file-trees/repository-path.ts'
import { withFiles } from '@wadi/file-trees/with-file.ts'
import { attributesFile, maxAttributesBytes } from '../inspection/checkout-attributes.ts'
import type { SourceInspection } from '../inspection/source-inspection.ts'
import { describeDifference } from './repeat/difference.ts'
import type { Rendered } from './render-run.ts'

/** The most files that are looked at, and the most bytes of those that a checkout changes. */
const maxFiles = 20_000
const maxChangedBytes = 16 * 1024 * 1024

const remedy =
  'commit the files as they must be, with -text in .gitattributes, or remove the attribute that changes them'

/**
 * Warns if `.gitattributes` gives Argo CD, which renders a checkout, other objects: the source is rendered once more from the files as
 * a checkout has them. What a plugin is sent is compared, not what it makes.
 * @param again renders the source from a tree
 */
export async function checkoutWarnings(
  tree: FileTree,
  inspection: SourceInspection,
  first: Rendered,
  { again, signal }: { again: (tree: FileTree) => Promise<Rendered>; signal: AbortSignal | undefined },
): Promise<string[]> {
  const contents = await contentsInCheckout(tree, inspection)
  if (contents.size === 0) return []
  const files = `${someInLine([...contents.keys()].map(shownPath), 3)} as a checkout has ${contents.size === 1 ? 'it' : 'them'} (.gitattributes)`
  if (inspection.hasPlugins)
    return [`the plugin gets files as git stores them, Argo CD's gets ${files}; ${remedy}`]
  try {
    const difference = await differenceFrom(first, withFiles(tree, contents), again)
    if (difference === '') return []
    // Values that are random differ without a checkout, too.
    if (inspection.plan.repeatability && (await differenceFrom(first, tree, again)) !== '') return []
    return [
      `Argo CD renders ${files}, and Wadi as git stores them, so this differs: ${difference}; ${remedy}`,
    ]
  } catch (error) {
    if (!(error instanceof DomainError) || signal?.aborted) throw error
    return []
  }
}

async function differenceFrom(
  first: Rendered,
  tree: FileTree,
  again: (tree: FileTree) => Promise<Rendered>,
): Promise<string> {
  try {
    const second = await again(tree)
    const objects = describeDifference(first.manifests, second.manifests)
    if (objects !== '') return objects
    const written = JSON.stringify(first.files) === JSON.stringify(second.files)
    return written ? '' : 'the files beside the manifests'
  } catch (error) {
    if (error instanceof InvalidInputError) return 'its render fails'
    throw error
  }
}

/** Returns the inputs of a render that a checkout has with another content, with that. */
async function contentsInCheckout(
  tree: FileTree,
  { inputs, checkoutAttributes }: SourceInspection,
): Promise<Map<string, Buffer>> {
  const files = await filesOf(tree, inputs, checkoutAttributes.length > 0)
  const inside = await Promise.all(
    files.filter((path) => nameOf(path) === attributesFile).map((path) => attributesIn(tree, path)),
  )
  const all = [...checkoutAttributes, ...inside]
  const contents = new Map<string, Buffer>()
  if (!all.some(changesSomething)) return contents
  let bytes = 0
  for (const [path, change] of checkoutChanges(files, all)) {
    const entry = await tree.entry(path)
    if (!entry) continue
    const content = await tree.read(path, maxChangedBytes).catch(() => Buffer.alloc(0))
    const changed = inCheckout(content, change, entry.id)
    if (changed.equals(content)) continue
    bytes += changed.length
    if (bytes > maxChangedBytes) break
    contents.set(path, changed)
  }
  return contents
}

async function attributesIn(tree: FileTree, path: string): Promise<AttributesFile> {
  const text = await tree.read(path, maxAttributesBytes).catch(() => '')
  return { directory: parentPath(path), text: text.toString() }
}

/** Returns the files of the inputs, those of a directory before those of directories in it; of a whole repository only if asked. */
async function filesOf(tree: FileTree, inputs: readonly string[], ofRepository: boolean): Promise<string[]> {
  const files = new Set<string>()
  const add = async (path: string, kind: string | undefined): Promise<void> => {
    if (files.size > maxFiles) return
    if (kind === 'file' || kind === 'executable') files.add(path)
    if (kind !== 'directory') return
    const directories: string[] = []
    for (const { name, kind: of } of await tree.list(path)) {
      if (of === 'directory') directories.push(childPath(path, name))
      else await add(childPath(path, name), of)
    }
    for (const directory of directories) await add(directory, 'directory')
  }
  for (const input of inputs)
    if (ofRepository || input !== rootOf(input)) await add(input, (await tree.entry(input))?.kind)
  return [...files]
}
