import { chmod, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { treePathError } from '@wadi/git/objects/tree-path.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { FileChange } from './file-change.ts'

/**
 * Returns the text of a file below a directory; empty for one that does not exist.
 * @throws CommandFailure for a path that leaves the directory or is not a plain file, InvalidInputError for what is not UTF-8
 */
export async function readInside(root: string, path: string): Promise<string> {
  const reason = treePathError(path)
  if (reason !== undefined)
    throw new CommandFailure(`${JSON.stringify(path)} cannot be changed: it ${reason}`)
  const file = join(root, path)
  const stats = await lstat(file).catch(() => undefined)
  const directory = await realpath(dirname(file)).catch(() => undefined)
  const real = await realpath(root)
  if (directory !== undefined && directory !== real && !directory.startsWith(`${real}${sep}`)) {
    throw new CommandFailure(`${path} cannot be changed: a link leads out of ${root}`)
  }
  if (!stats) return ''
  if (!stats.isFile()) throw new CommandFailure(`${path} cannot be changed: it is not a plain file`)
  return fileText(await readFile(file), path)
}

/**
 * Writes all changes, or none: each new text is written beside its file first, and files take their names when all are there.
 * @throws CommandFailure for a file that is not as it was when the changes were made, and one that cannot be written
 */
export async function writeFiles(root: string, changes: readonly FileChange[]): Promise<void> {
  const drafts = new Map<FileChange, string>()
  const done: FileChange[] = []
  try {
    for (const change of changes) {
      await checkUnchanged(root, change)
      if (change.after !== '') drafts.set(change, await writeDraft(join(root, change.path), change))
    }
    for (const change of changes) {
      const draft = drafts.get(change)
      const file = join(root, change.path)
      await (draft === undefined ? rm(file) : rename(draft, file))
      drafts.delete(change)
      done.push(change)
    }
  } catch (cause) {
    for (const draft of drafts.values()) await rm(draft, { force: true })
    for (const { path, before } of done) {
      await (before === '' ? rm(join(root, path)) : writeFile(join(root, path), before))
    }
    throw new CommandFailure(`nothing was written: ${errorMessage(cause)}`, undefined, { cause })
  }
}

async function checkUnchanged(root: string, { path, before }: FileChange): Promise<void> {
  if ((await readInside(root, path)) === before) return
  throw new CommandFailure(`${path} was changed meanwhile; run the command again`)
}

async function writeDraft(file: string, { before, after }: FileChange): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const draft = join(dirname(file), `.${basename(file)}.wadi-import`)
  // One of an import that was interrupted.
  await rm(draft, { force: true })
  await writeFile(draft, after, { flag: 'wx' })
  if (before !== '') await chmod(draft, (await lstat(file)).mode)
  return draft
}
