import { statfs } from 'node:fs/promises'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'

const lookMs = 100

/** Looks after the disk while something runs; disposal ends that. */
interface DiskGuard extends AsyncDisposable {
  /** Aborts with a ResourceExhaustedError when the disk loses too much. */
  readonly signal: AbortSignal
}

/**
 * Watches how much the disk of a directory loses, whoever takes it, files without a name among it: a count of the directory's
 * own files would take too long and would miss those.
 * @param maxBytes the maximum that it may lose
 */
export async function guardDisk(directory: string, maxBytes: number): Promise<DiskGuard> {
  const excess = new AbortController()
  const before = await freeBytes(directory)
  let looking: Promise<void> | undefined
  const look = async () => {
    if (before - (await freeBytes(directory)) <= maxBytes) return
    excess.abort(new ResourceExhaustedError(`the disk lost more than ${maxBytes} bytes while the script ran`))
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, lookMs)
  return {
    signal: excess.signal,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bfree, bsize } = await statfs(directory)
  return bfree * bsize
}
