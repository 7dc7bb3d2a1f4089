import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { memoryDirectory } from '@wadi/testing/memory-directory.ts'

/** A folder for everything that a run writes; disposal removes it. */
export interface WorkFolder extends AsyncDisposable {
  readonly directory: string
}

/** Makes a folder in shared memory when 4 GiB are free there, so that the disk's mood is not measured; else in the temporary folder. */
export async function makeWorkFolder(): Promise<WorkFolder> {
  return makeFolder(await memoryDirectory())
}

/** Makes a folder in the temporary folder, for what is measured with its writes reaching a disk as those of an installation do. */
export async function makeDiskFolder(): Promise<WorkFolder> {
  return makeFolder(tmpdir())
}

async function makeFolder(parent: string): Promise<WorkFolder> {
  const directory = await mkdtemp(path.join(parent, 'wadi-bench-'))
  return {
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
}
