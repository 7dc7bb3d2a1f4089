import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileTree } from './file-tree.ts'

const maxFiles = 5_000
const maxFileBytes = 1024 * 1024
const maxTotalLength = 64 * 1024 * 1024

/** The text of a file that a render can read. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

/**
 * Reads files of a tree and those of directories as texts. Files above 1 MiB are left empty; what exceeds 5,000 files or 64 Mi characters is left out.
 * @param inputs files and directories of the tree
 */
export async function readTexts(tree: FileTree, inputs: readonly string[]): Promise<SourceText[]> {
  const texts = new Map<string, string>()
  let length = 0
  const visit = async (path: string, entry: FileEntry | undefined): Promise<void> => {
    if (texts.has(path) || texts.size >= maxFiles || length >= maxTotalLength) return
    if (entry?.kind === 'directory') {
      for (const child of await tree.list(path)) {
        await visit(path === '' ? child.name : `${path}/${child.name}`, child)
      }
    }
    if (entry?.kind !== 'file' && entry?.kind !== 'executable') return
    const text = await readText(tree, path)
    length += text.length
    texts.set(path, text)
  }
  for (const path of inputs) await visit(path, path === '' ? rootEntry : await tree.entry(path))
  return Array.from(texts, ([file, text]) => ({ file, text }))
}

const rootEntry: FileEntry = { name: '', kind: 'directory', id: '' }

/** Returns the text of a file; nothing of one that is too large. */
async function readText(tree: FileTree, path: string): Promise<string> {
  try {
    return (await tree.read(path, maxFileBytes)).toString()
  } catch (error) {
    if (error instanceof ResourceExhaustedError) return ''
    throw error
  }
}
