import { createHash } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const prefix = 'refs/wadi/single/'

/**
 * The name under which a mirror keeps a ref that was fetched alone. It is flat, because a mirror may still hold a
 * branch `a` that the remote has replaced with `a/b`, and git cannot keep both as they are called.
 */
export function mirrorRef(ref: string): string {
  return `${prefix}${createHash('sha256').update(ref).digest('hex').slice(0, 40)}`
}

/**
 * Sets a ref of this form as git does, without a program: it writes the file by which git locks the ref, and puts it in the place of
 * the ref's own. The object must be there.
 * @returns false where git has to set it: a ref of another form, a locked one, and where refs are not files
 */
export async function writeMirrorRef(directory: string, ref: string, object: string): Promise<boolean> {
  if (!ref.startsWith(prefix) || !/^[0-9a-f]{40}$/.test(ref.slice(prefix.length))) return false
  if (await isThere(path.join(directory, 'reftable'))) return false
  const file = path.join(directory, ref)
  const lock = `${file}.lock`
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(lock, `${object}\n`, { flag: 'wx' })
    await rename(lock, file)
    return true
  } catch (error) {
    // What it was that failed, git finds out too. A lock of somebody else stays.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      await rm(lock, { force: true })
    return false
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
