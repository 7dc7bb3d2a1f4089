import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { memoryDirectory } from '@wadi/testing/memory-directory.ts'

/** A directory for everything that a run writes; disposal removes it. */
export interface WorkDirectory extends AsyncDisposable {
  readonly directory: string
}

/** Makes a directory in shared memory when 4 GiB are free there, so that the disk's mood is not measured; else in the temporary directory. */
export async function makeWorkDirectory(): Promise<WorkDirectory> {
  return makeDirectory(await memoryDirectory())
}

/** Makes a directory in the temporary directory, for what is measured with its writes reaching a disk as those of an installation do. */
export async function makeDiskDirectory(): Promise<WorkDirectory> {
  return makeDirectory(tmpdir())
}

async function makeDirectory(parent: string): Promise<WorkDirectory> {
  const directory = await mkdtemp(path.join(parent, 'wadi-bench-'))
  return {
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
}
