import { type AttributesFile, changesSomething } from '@wadi/file-trees/checkout-changes.ts'
import { childPath, parentPath, rootOf } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** The name of the files by which git changes files in a checkout. */
export const attributesFile = '.gitattributes'

/** The largest one that is read, in bytes. */
export const maxAttributesBytes = 1024 * 1024

/** The same empty list for all sources without, as thousands of inspections are kept. */
const noFiles: readonly AttributesFile[] = []

/**
 * Reads `.gitattributes` in the directories above the inputs of a render, that of a directory before those in it; none if they change no
 * file in a checkout. Such as are in inputs are part of these, and not read here.
 */
export async function readCheckoutAttributes(
  trace: TracingTree,
  inputs: readonly string[],
): Promise<readonly AttributesFile[]> {
  const directories = new Set<string>()
  for (const input of inputs) {
    const root = rootOf(input)
    for (let at = input; at !== root;) directories.add((at = parentPath(at)))
  }
  const found: AttributesFile[] = []
  for (const directory of [...directories].toSorted()) {
    const file = childPath(directory, attributesFile)
    // Where there is none, there may be one in the next commit without another inspection: it changes no result.
    if ((await trace.untraced.entry(file))?.kind !== 'file') continue
    const text = (await trace.read(file, maxAttributesBytes)).toString()
    found.push({ directory, text })
  }
  return found.some(changesSomething) ? found : noFiles
}
