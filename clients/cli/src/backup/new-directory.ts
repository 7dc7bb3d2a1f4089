import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { syncToDisk } from '@wadi/rpc/durable-file.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Makes a directory with everything in it, or nothing: it is filled under another name and gets its own at the end. It is for its
 * owner alone.
 * @throws CommandFailure when there is one that is not empty, and with the reason when `fill` fails
 */
export async function makeDirectory(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const target = resolve(path)
  await mkdir(dirname(target), { recursive: true })
  await requireEmpty(target)
  const draft = await mkdtemp(`${target}.incomplete-`)
  try {
    await fill(draft)
    await syncToDisk(draft)
    await rename(draft, target)
    await syncToDisk(dirname(target))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (error instanceof CommandFailure) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`${target} is not made: ${reason}`, undefined, { cause: error })
  }
}

async function requireEmpty(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return
  throw new CommandFailure(`${path} is not empty; choose a directory that does not exist yet`)
}
