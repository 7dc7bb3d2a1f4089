/** Places in the memory that a thread shares with its pool. */
const file = 0
const started = 1

/** Returns what a thread tells its pool while it works: the file that it reads, so that one that took too long can be named, and its begin. */
export function newProgress(): Int32Array {
  const progress = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  progress[started] = -1
  return progress
}

/** Notes in the thread that its job begins. */
export function begin(progress: Int32Array): void {
  const { user, system } = process.threadCpuUsage()
  Atomics.store(progress, started, Math.round((user + system) / 1_000))
}

/** Returns the milliseconds of a processor that the thread had used before the job; undefined before its begin. */
export function startedAt(progress: Int32Array): number | undefined {
  const milliseconds = Atomics.load(progress, started)
  return milliseconds < 0 ? undefined : milliseconds
}

/** Notes the index of the file that is read now. */
export function comeTo(progress: Int32Array, index: number): void {
  Atomics.store(progress, file, index)
}

/** Returns the index of the file that is read. */
export function fileUnderWay(progress: Int32Array): number {
  return Atomics.load(progress, file)
}
