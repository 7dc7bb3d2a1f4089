import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const sharedMemory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/** The directory of shared memory when 4 GiB are free there, so that nothing waits for the disk; else the temporary directory. */
export async function memoryDirectory(): Promise<string> {
  try {
    await access(sharedMemory, constants.W_OK)
    const { bavail, bsize } = await statfs(sharedMemory)
    return bavail * bsize >= neededBytes ? sharedMemory : tmpdir()
  } catch {
    // Other systems have no such directory.
    return tmpdir()
  }
}
