/** The clock of a Go program, in milliseconds. */
export interface CallClock {
  now(): number
  /** Begins a call, in which the time is that of the processor for this thread: what others do with the machine does not count against a deadline of the program. */
  beginCall(): void
  /** Ends the call: the clock goes on where the clock of the machine is. */
  endCall(): void
}

/** Returns a clock that never goes back. */
export function createCallClock(): CallClock {
  let begun: { at: number; usage: NodeJS.CpuUsage } | undefined
  return {
    now() {
      if (begun === undefined) return performance.now()
      const { user, system } = process.threadCpuUsage(begun.usage)
      return Math.min(begun.at + (user + system) / 1_000, performance.now())
    },
    beginCall() {
      begun = { at: performance.now(), usage: process.threadCpuUsage() }
    },
    endCall() {
      begun = undefined
    },
  }
}
