import { randomUUID } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, rmSync } from 'node:fs'
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'

/** Folders with longer paths are moved up: a path and a name of 255 bytes have to stay below 4,096. */
const maxPathLength = 2_048

/** Entries that are removed in one go. */
const maxAtOnce = 100

/**
 * Removes a folder with everything in it, whatever a plugin made of it: write-protected, or nested deeper than a path can
 * name. No process may work in it any more.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    if (isSmall(folder)) rmSync(folder, { recursive: true, force: true })
    // A process that was killed just now may still write, hence the retries.
    else await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    await removeStubborn(Buffer.from(folder))
  }
}

/** Few entries are gone sooner than the thread pool would begin; many would hold up everything else. */
function isSmall(folder: string): boolean {
  let entries = 0
  const waiting = existsSync(folder) ? [folder] : []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = readdirSync(next, { withFileTypes: true })
    entries += found.length
    if (entries > maxAtOnce) return false
    for (const entry of found) if (entry.isDirectory()) waiting.push(`${next}/${entry.name}`)
  }
  return true
}

async function removeStubborn(root: Buffer): Promise<void> {
  const parentsFirst: Buffer[] = []
  const waiting = [root]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    parentsFirst.push(folder)
    await chmod(folder, 0o700)
    // Names need not be UTF-8.
    const entries: Dirent<Buffer>[] = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (!entry.isDirectory()) await unlink(path)
      else waiting.push(path.length <= maxPathLength ? path : await movedUp(path, root))
    }
  }
  for (const folder of parentsFirst.toReversed()) await rmdir(folder)
}

async function movedUp(folder: Buffer, root: Buffer): Promise<Buffer> {
  const path = below(root, Buffer.from(randomUUID()))
  // Only who may write to a folder may give it another parent.
  await chmod(folder, 0o700)
  await rename(folder, path)
  return path
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}
