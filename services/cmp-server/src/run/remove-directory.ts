import { randomUUID } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, rmSync } from 'node:fs'
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'

/** Directories with longer paths are moved up: a path and a name of 255 bytes have to stay below 4,096. */
const maxPathLength = 2_048

/** Entries that are removed in one go. */
const maxAtOnce = 100

/**
 * Removes a directory with everything in it, whatever a plugin made of it: write-protected, or nested deeper than a path can
 * name. No process may work in it any more.
 */
export async function removeDirectory(directory: string): Promise<void> {
  try {
    if (isSmall(directory)) rmSync(directory, { recursive: true, force: true })
    // A process that was killed just now may still write, hence the retries.
    else await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    await removeStubborn(Buffer.from(directory))
  }
}

/** Few entries are gone sooner than the thread pool would begin; many would hold up everything else. */
function isSmall(directory: string): boolean {
  let entries = 0
  const waiting = existsSync(directory) ? [directory] : []
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
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    parentsFirst.push(directory)
    await chmod(directory, 0o700)
    // Names need not be UTF-8.
    const entries: Dirent<Buffer>[] = await readdir(directory, { withFileTypes: true, encoding: 'buffer' })
    for (const entry of entries) {
      const path = below(directory, entry.name)
      if (!entry.isDirectory()) await unlink(path)
      else waiting.push(path.length <= maxPathLength ? path : await movedUp(path, root))
    }
  }
  for (const directory of parentsFirst.toReversed()) await rmdir(directory)
}

async function movedUp(directory: Buffer, root: Buffer): Promise<Buffer> {
  const path = below(root, Buffer.from(randomUUID()))
  // Only who may write to a directory may give it another parent.
  await chmod(directory, 0o700)
  await rename(directory, path)
  return path
}

function below(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name])
}
