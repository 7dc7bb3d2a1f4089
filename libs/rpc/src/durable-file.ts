import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { refuseIncomplete, unusableDirectory } from '@wadi/errors/unusable-directory.ts'

/**
 * Makes a file for its owner alone, and its directory, unless there is one. It appears with its full content and survives a crash of the
 * machine; of processes that start together, one makes it.
 * @throws FailedPreconditionError when the directory cannot be used, or is not restored to the end
 */
export async function makeFileOnce(file: string, content: string | Uint8Array): Promise<void> {
  const directory = path.dirname(file)
  refuseIncomplete(directory)
  const draft = `${file}.${randomUUID()}`
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file).catch(ignoreExisting)
    await syncToDisk(directory)
  } catch (error) {
    throw unusableDirectory(directory, error)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Waits until a file, or the names in a directory, survive a crash of the machine. */
export async function syncToDisk(place: string): Promise<void> {
  await using handle = await open(place, 'r')
  await handle.sync()
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
