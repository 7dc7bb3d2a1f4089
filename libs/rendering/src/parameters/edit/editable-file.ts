import { fileText } from '@wadi/manifests/file-text.ts'
import { maxConfigFileBytes } from '../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, nameOf, parentPath } from '@wadi/file-trees/repository-path.ts'

/** A file that sets something of a source. */
export interface EditableFile {
  /** Its path in git, with links followed. */
  readonly path: string
  /** `''` when there is no such file. */
  readonly text: string
}

/**
 * Reads a file that is to be edited, which need not exist.
 * @throws InvalidInputError for a file that is not UTF-8
 */
export async function readEditableFile(tree: FileTree, path: string): Promise<EditableFile> {
  const found = await followPath(tree, path)
  if (found === undefined) {
    const directory = await followPath(tree, parentPath(path))
    return { path: childPath(directory?.target ?? parentPath(path), nameOf(path)), text: '' }
  }
  const content = await tree.read(found.target, maxConfigFileBytes)
  return { path: found.target, text: fileText(content, found.target) }
}
