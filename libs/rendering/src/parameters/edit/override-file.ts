import { byBytes } from '@wadi/order/by-bytes.ts'
import { createHash } from 'node:crypto'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { parseConfigs } from '../../source/config-file.ts'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath, nameOf, parentPath } from '@wadi/file-trees/repository-path.ts'
import { ownOverrideFile, sharedOverrideFile } from '../../source/source-overrides.ts'
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

/**
 * The same tree with a file of another text, whose directory exists; the file itself need not, and `''` is an empty one.
 * The directories above it have other ids, so that nothing that is kept by them is taken for what it is now.
 */
export function withFile(tree: FileTree, path: string, text: string): FileTree {
  const content = Buffer.from(text)
  const entry: FileEntry = { name: nameOf(path), kind: 'file', id: digest(content) }
  const above = new Set<string>()
  for (let directory = path; directory !== ''; above.add(directory)) directory = parentPath(directory)
  const changed = ({ name, kind, id }: FileEntry): FileEntry => {
    return { name, kind, id: digest(JSON.stringify([id, path, entry.id])) }
  }
  return {
    entry: async (asked) => {
      if (asked === path) return entry
      const found = await tree.entry(asked)
      return found !== undefined && above.has(asked) ? changed(found) : found
    },
    list: async (asked) => {
      const found = await tree.list(asked)
      if (!above.has(asked)) return found
      if (asked === parentPath(path)) {
        return [...found.filter(({ name }) => name !== entry.name), entry].toSorted((one, other) =>
          byBytes(one.name, other.name),
        )
      }
      return found.map((child) => (above.has(childPath(asked, child.name)) ? changed(child) : child))
    },
    read: async (asked, maxBytes) => {
      if (asked !== path) return await tree.read(asked, maxBytes)
      if (content.length <= maxBytes) return content
      throw new ResourceExhaustedError(`"${path}" would have ${content.length} bytes, more than ${maxBytes}`)
    },
  }
}

/** True if a merge patch decides an option: sets it, or removes it or something around it. */
function decides(patch: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || !isJsonObject(patch)) return patch !== undefined
  return Object.hasOwn(patch, key) && decides(patch[key], rest)
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
