import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Why a test cannot have a small disk; false where it can. */
export const noSmallDisk =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'only root may mount a small disk' : false

/** Puts a disk of 4 MiB at a directory until the stack is disposed. */
export async function mountSmallDisk(owned: AsyncDisposableStack, directory: string): Promise<void> {
  const run = promisify(execFile)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await run('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'wadi-test', directory])
  owned.defer(async () => {
    await run('umount', ['--lazy', directory])
  })
}

/** Makes a disk read-only, as a kernel does after errors of the disk; disposal undoes it. */
export async function makeReadOnly(directory: string): Promise<AsyncDisposable> {
  const run = promisify(execFile)
  const mount = async (mode: 'ro' | 'rw') => void (await run('mount', ['-o', `remount,${mode}`, directory]))
  await mount('ro')
  return { [Symbol.asyncDispose]: () => mount('rw') }
}

/** Fills a disk to the last byte; disposal makes the room again. */
export async function fillDisk(directory: string): Promise<AsyncDisposable> {
  const path = join(directory, 'filler')
  await using file = await open(path, 'w')
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) await file.write(Buffer.alloc(size))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}
