import { lstatSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A private folder; disposal removes it. */
export interface OwnedFolder extends AsyncDisposable {
  /** Without symbolic links. */
  readonly path: string
}

const lockName = 'owner.db'

/** A folder without a lock is being made, or is that of an older version, unless nobody touched it for a day. */
const abandonedAfterMs = 24 * 60 * 60 * 1_000

/**
 * Makes a private folder, and removes those of the same prefix and user whose process is gone, as after a crash. A lock on a
 * file in it, which the system drops when the process ends in whatever way, shows whose owner lives.
 * @param prefix such as `wadi-render-`
 * @param place the folder in which it is made; default: the temporary one
 */
export async function openOwnedFolder(prefix: string, place = tmpdir()): Promise<OwnedFolder> {
  const parent = realpathSync(place)
  await removeLeftOvers(parent, prefix)
  // A folder whose name is known beforehand could be made by another user of the machine, who would own what is in it.
  const folder = mkdtempSync(path.join(parent, prefix))
  const lock = takeLock(folder)
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      lock?.close()
    },
  }
}

async function removeLeftOvers(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(parent, name)
    if (isLeftOver(folder))
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

function isLeftOver(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false
  if (statSync(path.join(folder, lockName), { throwIfNoEntry: false }) === undefined) {
    return Date.now() - found.mtimeMs > abandonedAfterMs
  }
  const lock = takeLock(folder)
  lock?.close()
  return lock !== undefined
}

/** The lock, held until it is closed; undefined when somebody has it. */
function takeLock(folder: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path.join(folder, lockName), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch {
    database.close()
    return undefined
  }
}
