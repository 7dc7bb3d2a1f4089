import { isJsonObject } from '@wadi/fields/json-object.ts'
import { parseConfigs } from '../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { ownOverrideFile, sharedOverrideFile } from '../../source/option-files.ts'
import { type EditableFile, readEditableFile } from './editable-file.ts'

/**
 * The file in which options of a source are set: the one of the Application if it says something of one of them, as it
 * overrides the one that all Applications of the directory share; else the shared one.
 * @throws InvalidInputError for a file that is not UTF-8
 */
export async function overrideFileFor(
  tree: FileTree,
  directory: string,
  applicationName: string,
  options: ReadonlyArray<readonly string[]>,
): Promise<EditableFile> {
  const ownName = ownOverrideFile(applicationName)
  if (ownName !== undefined) {
    const own = await readEditableFile(tree, childPath(directory, ownName))
    const value: unknown = parseConfigs(own.text, own.path)[0]?.value
    if (options.some((path) => decides(value, path))) return own
  }
  return await readEditableFile(tree, childPath(directory, sharedOverrideFile))
}

/** True if a merge patch decides an option: sets it, or removes it or something around it. */
function decides(patch: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || !isJsonObject(patch)) return patch !== undefined
  return Object.hasOwn(patch, key) && decides(patch[key], rest)
}
