import type { ControlGroup } from './control-groups.ts'
import { type ProcessEntry, processesOfGroup, proportionalBytes } from './process-table.ts'

const lookMs = 100

/** Looks at the processes of one run until it is disposed of. */
export interface GroupWatch extends Disposable {
  /** The most processor time that one process was seen with, in seconds. */
  readonly cpuSeconds: number
}

/** The watched limits. */
interface WatchedLimits {
  readonly memoryBytes: number
  readonly cpuSeconds: number
  /** Of the machine. */
  readonly processors: number
  /** Adds up the memory; without it this does. */
  readonly controlGroup: ControlGroup | undefined
}

/**
 * Looks ten times a second whether the processes of a group used up their memory, as the kernel kills but one of them then and
 * where there is no control group none, and notes how much processor time they take.
 */
export function watchGroup(leader: number, limits: WatchedLimits, onMemoryExcess: () => void): GroupWatch {
  const { memoryBytes, cpuSeconds, processors, controlGroup } = limits
  const startedAt = performance.now()
  const seen = { cpuSeconds: 0 }
  const interval = setInterval(() => {
    if (controlGroup?.wasOutOfMemory() === true) return onMemoryExcess()
    // All processes of the machine are read only when the answer can matter.
    const couldBeUsedUp = ((performance.now() - startedAt) / 1000 + 1) * processors > cpuSeconds
    if (controlGroup !== undefined && !couldBeUsedUp) return
    const processes = processesOfGroup(leader)
    for (const entry of processes) seen.cpuSeconds = Math.max(seen.cpuSeconds, entry.cpuSeconds)
    if (controlGroup === undefined && usedMemory(processes, memoryBytes) > memoryBytes) onMemoryExcess()
  }, lookMs)
  return {
    get cpuSeconds() {
      return seen.cpuSeconds
    },
    [Symbol.dispose]: () => clearInterval(interval),
  }
}

/** The exact sum takes long, so it is made only when the rough one, which is never less, is above the limit. */
function usedMemory(processes: readonly ProcessEntry[], limit: number): number {
  const rough = processes.reduce((sum, entry) => sum + entry.residentBytes, 0)
  return rough <= limit ? rough : processes.reduce((sum, { pid }) => sum + proportionalBytes(pid), 0)
}
