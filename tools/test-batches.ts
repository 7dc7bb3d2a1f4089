import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** Test files that share a process. */
export interface TestBatch {
  /** The name of the process in the report when it ends early. */
  readonly name: string
  /** Paths below the root, in the order of the run. */
  readonly files: readonly string[]
}

/**
 * Directories whose tests mostly wait come first, so that those which keep the processors busy fill their pauses, and small batches are left for the
 * end. Each process more costs seconds of a processor to load the code; the files of faults and of the console share a mesh that takes as
 * long to start, and those in pods share a node.
 */
const directories: readonly { readonly directory: string; readonly filesPerBatch: number }[] = [
  { directory: 'integration-tests/src/kubernetes-node', filesPerBatch: 40 },
  { directory: 'integration-tests/src/faults', filesPerBatch: 40 },
  { directory: 'integration-tests/src/console', filesPerBatch: 15 },
  { directory: 'integration-tests', filesPerBatch: 40 },
  { directory: 'services', filesPerBatch: 200 },
  { directory: 'clients', filesPerBatch: 90 },
  { directory: 'libs', filesPerBatch: 130 },
  { directory: '', filesPerBatch: 40 },
]

/** A line of a test file that keeps other files out of its process; the reason follows. */
const ownProcessLine = /^\/\/ Own process: /m

/** Divides test files into processes. */
export async function planBatches(root: string, files: readonly string[]): Promise<TestBatch[]> {
  const alone = new Set<string>()
  for (const file of files) {
    if (ownProcessLine.test(await readFile(path.join(root, file), 'utf8'))) alone.add(file)
  }
  const left = new Set(files)
  const batches: TestBatch[] = []
  for (const { directory, filesPerBatch } of directories) {
    const inDirectory = [...left].filter((file) => file.startsWith(directory))
    for (const file of inDirectory) left.delete(file)
    batches.push(
      ...inDirectory.filter((file) => alone.has(file)).map((file) => ({ name: file, files: [file] })),
    )
    const shared = inDirectory.filter((file) => !alone.has(file))
    const count = Math.ceil(shared.length / filesPerBatch)
    const size = Math.ceil(shared.length / count)
    for (let number = 0; number < count; number++) {
      const part = shared.slice(number * size, (number + 1) * size)
      batches.push({ name: `${directory || 'others'} ${number + 1} of ${count}`, files: part })
    }
  }
  return batches
}

const batchOrder = z.object({
  /** The project's root. */
  root: z.string(),
  /** Paths below the root. */
  files: z.array(z.string()),
  /** The file that names the test file under way. */
  progress: z.string(),
})

/** Returns the order for the process of a batch, as JSON. */
export function batchText(order: z.infer<typeof batchOrder>): string {
  return JSON.stringify(order)
}

/** Reads what `batchText` wrote. */
export function readBatch(text: string): z.infer<typeof batchOrder> {
  return batchOrder.parse(JSON.parse(text))
}
