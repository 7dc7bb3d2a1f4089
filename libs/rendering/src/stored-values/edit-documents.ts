import { fileText } from '@wadi/manifests/file-text.ts'
import { maxConfigFileBytes } from '../config-file.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { followPath } from '../tree/follow-links.ts'
import { childPath, parentPath } from '../tree/repository-path.ts'
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
    const { path, before } = await readFile(tree, file)
    // From the last document up, so that the lines of those above stay what they are.
    const ordered = own.toSorted((one, other) => (other.line ?? 1) - (one.line ?? 1))
    const after = ordered.reduce((text, { line, change }) => editDocument(text, line ?? 1, change), before)
    files.push({ path, before, after })
  }
  return files
}

/** A file that no change concerns. */
export async function unchangedFile(tree: FileTree, file: string): Promise<ChangedFile> {
  const { path, before } = await readFile(tree, file)
  return { path, before, after: before }
}

async function readFile(tree: FileTree, file: string): Promise<{ path: string; before: string }> {
  const found = await followPath(tree, file)
  if (found === undefined) {
    const folder = await followPath(tree, parentPath(file))
    return { path: childPath(folder?.target ?? parentPath(file), file.replace(/^.*\//, '')), before: '' }
  }
  return {
    path: found.target,
    before: fileText(await tree.read(found.target, maxConfigFileBytes), found.target),
  }
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
