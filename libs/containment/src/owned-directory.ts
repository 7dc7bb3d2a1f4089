import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { lutimes, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeFileLock } from '@wadi/concurrency/file-lock.ts'

/** A private directory; disposal removes it. */
export interface OwnedDirectory extends AsyncDisposable {
  /** Without symbolic links. */
  readonly path: string
}

const lockName = 'owner.db'

/** A directory without a lock is being made, or is that of an older version, unless nobody touched it for a day. */
const abandonedAfterMs = 24 * 60 * 60 * 1_000

const refreshMs = 12 * 60 * 60 * 1_000

/** The maximum number of directories made until one is locked; more than one only if other processes start at the same moment. */
const maxTries = 10

/**
 * Makes a private directory, and removes those of the same prefix and user whose process is gone, as after a crash. A lock on a
 * file in it, which the system drops when the process ends in whatever way, shows whose owner lives.
 * @param prefix such as `wadi-render-`
 * @param place the directory in which it is made; default: the temporary one
 */
export async function openOwnedDirectory(prefix: string, place = tmpdir()): Promise<OwnedDirectory> {
  const parent = realpathSync(place)
  await removeLeftOvers(parent, prefix)
  const { directory, lock } = makeDirectory(path.join(parent, prefix))
  const refreshing = setInterval(() => void refresh(directory).catch(() => undefined), refreshMs).unref()
  return {
    path: directory,
    [Symbol.asyncDispose]: async () => {
      clearInterval(refreshing)
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
      lock?.[Symbol.dispose]()
    },
  }
}

/** Makes everything in a directory look used: systemd removes what is in the temporary directory and was not touched for ten days. */
async function refresh(directory: string): Promise<void> {
  const now = new Date()
  for (const name of ['.', ...(await readdir(directory, { recursive: true }))]) {
    await lutimes(path.join(directory, name), now, now).catch(() => undefined)
  }
}

/** Makes a directory with its lock, which is undefined where files cannot be locked. */
function makeDirectory(start: string): { directory: string; lock: Disposable | undefined } {
  for (let tries = 1; ; tries++) {
    // A directory whose name is known beforehand could be made by another user of the machine, who would own what is in it.
    const directory = mkdtempSync(start)
    const lock = takeLock(directory)
    // Another process that starts may see the file before it is locked here, and take it for a left-over.
    const isOurs = lock !== undefined && existsSync(path.join(directory, lockName))
    if (isOurs || tries === maxTries) return { directory, lock }
    lock?.[Symbol.dispose]()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function removeLeftOvers(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    await removeLeftOver(path.join(parent, name))
  }
}

async function removeLeftOver(directory: string): Promise<void> {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return
  const hasLock = existsSync(path.join(directory, lockName))
  if (!hasLock && Date.now() - found.mtimeMs < abandonedAfterMs) return
  const lock = hasLock ? takeLock(directory) : undefined
  if (hasLock && lock === undefined) return
  await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  // Held until now, so that who makes the directory at this moment does not take it for its own.
  lock?.[Symbol.dispose]()
}

/** Returns the lock of a directory; undefined when somebody has it or has removed the directory. */
function takeLock(directory: string): Disposable | undefined {
  try {
    return takeFileLock(path.join(directory, lockName))
  } catch {
    return undefined
  }
}
