import { getCompileCacheDir } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

// The limit of `mesh/memory.sh` for new objects of the first thread, whose heap has it by now, would take precedence over those of all.
setFlagsFromString('--max-semi-space-size=0')

/** Little of a job outlives it, and each thread keeps as much room for new objects as it ever needed. */
const maxYoungGenerationSizeMb = 3

/** A thread to start. */
export interface ThreadStart {
  /** The module that it begins with. */
  readonly script: URL
  /** Its memory, without that of Go programs; default: that of V8. */
  readonly memoryMiB?: number | undefined
  readonly workerData?: object
}

/** Starts a thread that works beside the event loop. */
export function startThread({ script, memoryMiB, workerData }: ThreadStart): Worker {
  return new Worker(script, {
    // Without compiled sources, a thread would load the compiler of TypeScript, which takes 25 MiB.
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' },
    // Options of the process, such as those for tests or for code that is given in its arguments, are not for a thread.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb, ...(memoryMiB && { maxOldGenerationSizeMb: memoryMiB }) },
    workerData,
  })
}
