/** Returns the milliseconds of a processor that synchronous work takes on this thread; unlike the clock, a busy machine hardly changes them. */
export function threadMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  return milliseconds(process.threadCpuUsage(before))
}

/** Returns the milliseconds of processors that all threads of this process take until the work has ended. */
export async function processMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return milliseconds(process.cpuUsage(before))
}

function milliseconds({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1_000
}
