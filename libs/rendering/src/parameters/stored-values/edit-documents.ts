import { readEditableFile } from '../edit/editable-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { editYaml, type YamlChange } from '../yaml-edit/edit-yaml.ts'

/** A change of one document of a file. */
export interface DocumentChange {
  readonly file: string
  /** A line of the document, from 1; absent for the first document. */
  readonly line?: number | undefined
  readonly change: YamlChange
}

/** A file before and after; `''` when there is none, or nothing is left in it. */
export interface ChangedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * Makes the changes of YAML files, comments and all the rest kept; links are followed.
 * @throws InvalidInputError for a file that is not UTF-8
 */
export async function editDocuments(
  tree: FileTree,
  changes: readonly DocumentChange[],
): Promise<ChangedFile[]> {
  const files: ChangedFile[] = []
  for (const [file, own] of Map.groupBy(changes, (each) => each.file)) {
    const { path, text: before } = await readEditableFile(tree, file)
    // From the last document up, so that the lines of those above stay what they are.
    const ordered = own.toSorted((one, other) => (other.line ?? 1) - (one.line ?? 1))
    const after = ordered.reduce((text, { line, change }) => editDocument(text, line ?? 1, change), before)
    files.push({ path, before, after })
  }
  return files
}

/** A file that no change concerns. */
export async function unchangedFile(tree: FileTree, file: string): Promise<ChangedFile> {
  const { path, text: before } = await readEditableFile(tree, file)
  return { path, before, after: before }
}

/** Changes the document that has a line. */
function editDocument(text: string, line: number, change: YamlChange): string {
  const documents = text.split(/^(?=---(?:[ \t\r\n]|$))/m)
  let next = 1
  let chosen = 0
  for (const [index, document] of documents.entries()) {
    if (next <= line) chosen = index
    next += document.split('\n').length - 1
  }
  return documents.with(chosen, editYaml(documents[chosen] ?? '', change)).join('')
}
