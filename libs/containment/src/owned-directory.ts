import { lstatSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A private directory; disposal removes it. */
export interface OwnedDirectory extends AsyncDisposable {
  /** Without symbolic links. */
  readonly path: string
}

const lockName = 'owner.db'

/** A directory without a lock is being made, or is that of an older version, unless nobody touched it for a day. */
const abandonedAfterMs = 24 * 60 * 60 * 1_000

/**
 * Makes a private directory, and removes those of the same prefix and user whose process is gone, as after a crash. A lock on a
 * file in it, which the system drops when the process ends in whatever way, shows whose owner lives.
 * @param prefix such as `wadi-render-`
 * @param place the directory in which it is made; default: the temporary one
 */
export async function openOwnedDirectory(prefix: string, place = tmpdir()): Promise<OwnedDirectory> {
  const parent = realpathSync(place)
  await removeLeftOvers(parent, prefix)
  // A directory whose name is known beforehand could be made by another user of the machine, who would own what is in it.
  const directory = mkdtempSync(path.join(parent, prefix))
  const lock = takeLock(directory)
  return {
    path: directory,
    [Symbol.asyncDispose]: async () => {
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
      lock?.close()
    },
  }
}

async function removeLeftOvers(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const directory = path.join(parent, name)
    if (isLeftOver(directory))
      await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

function isLeftOver(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false
  if (statSync(path.join(directory, lockName), { throwIfNoEntry: false }) === undefined) {
    return Date.now() - found.mtimeMs > abandonedAfterMs
  }
  const lock = takeLock(directory)
  lock?.close()
  return lock !== undefined
}

/** The lock, held until it is closed; undefined when somebody has it. */
function takeLock(directory: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path.join(directory, lockName), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch {
    database.close()
    return undefined
  }
}
