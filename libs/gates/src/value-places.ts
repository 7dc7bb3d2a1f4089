import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'

/** A shorter value may be written anywhere by chance. */
const minValueLength = 6
const maxFiles = 5_000
const maxFileBytes = 1024 * 1024
const maxTotalLength = 64 * 1024 * 1024

/** The text of a file that a render can read. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

/**
 * Finds the line of a value by the forms in which it may be written. A value that is written at several places, or at none
 * as it is, has no known line.
 */
export function placeOf(texts: readonly SourceText[], written: readonly string[]): Location | undefined {
  for (const value of written.filter(({ length }) => length >= minValueLength)) {
    const places = texts.flatMap((source) => placesIn(source, value))
    if (places.length === 1) return places[0]
  }
  return undefined
}

/** Returns at most two places: more decide nothing. */
function placesIn({ file, text }: SourceText, value: string): Location[] {
  const first = text.indexOf(value)
  if (first === -1) return []
  const isOnly = text.indexOf(value, first + 1) === -1
  return (isOnly ? [first] : [first, first]).map((offset) => ({ file, line: lineAt(text, offset) }))
}

/**
 * Reads the files that a render can read. Files above 1 MiB are left empty; what exceeds 5,000 files or 64 Mi characters is left out.
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
