import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second in which the kernel counts; the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100

/** Processor time in seconds. */
export interface ProcessorTime {
  readonly user: number
  /** The time that the kernel worked for the program. */
  readonly system: number
}

/**
 * The processor time of a process and of everything that it started, ended or not. It lacks what left the process's tree, as a
 * daemon does.
 *
 * @returns the time; undefined on machines without /proc
 */
export function treeTime(pid: number): ProcessorTime | undefined {
  try {
    return sum([ownTime(pid), ...childrenOf(pid).map((child) => treeTime(child))])
  } catch {
    return undefined
  }
}

/** Returns the time between two readings; never below 0, as a process that leaves the tree takes its time along. */
export function timeSince(before: ProcessorTime, now: ProcessorTime): ProcessorTime {
  return { user: Math.max(0, now.user - before.user), system: Math.max(0, now.system - before.system) }
}

function sum(times: readonly (ProcessorTime | undefined)[]): ProcessorTime {
  return {
    user: times.reduce((total, time) => total + (time?.user ?? 0), 0),
    system: times.reduce((total, time) => total + (time?.system ?? 0), 0),
  }
}

/** With that of its ended children, as far as they were waited for. */
function ownTime(pid: number): ProcessorTime {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in parentheses may hold anything; the numbers come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  return { user: (user + childUser) / ticksPerSecond, system: (system + childSystem) / ticksPerSecond }
}

/** A thread may start programs too, and each lists its own. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
        .split(' ')
        .filter(Boolean)
        .map(Number)
    } catch {
      return []
    }
  })
}
