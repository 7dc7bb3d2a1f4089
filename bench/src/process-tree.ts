import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second in which the kernel counts; the same on every Linux that Node runs on. */
const ticksPerSecond = 100
const pageBytes = 4096
const sampleIntervalMs = 20

/** Cpu seconds of a process and of all its descendants that have ended and been waited for. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in parentheses may hold anything; the numbers come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / ticksPerSecond
}

/** Cpu seconds of the descendants of this process that have ended. */
export function endedChildrenCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return cpuSeconds(process.pid) - (user + system) / 1_000_000
}

/** Watches the resident memory of a process and all its descendants. */
export interface MemoryWatch extends Disposable {
  /** Most bytes so far: the peak of the process itself, and the most that its descendants had together. */
  peak(): { own: number; descendants: number }
}

/** Starts to sample every 20 ms. Pages that processes share are counted for each. */
export function watchMemory(pid: number): MemoryWatch {
  let descendants = 0
  const timer = setInterval(() => {
    const bytes = descendantsOf(pid).reduce((sum, child) => sum + residentBytes(child), 0)
    descendants = Math.max(descendants, bytes)
  }, sampleIntervalMs)
  return {
    peak: () => ({ own: peakResidentBytes(pid), descendants }),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function descendantsOf(pid: number): number[] {
  const children = orGone(() => readdirSync(`/proc/${pid}/task`), []).flatMap((thread) =>
    orGone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'), '')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

function residentBytes(pid: number): number {
  const pages = orGone(() => readFileSync(`/proc/${pid}/statm`, 'latin1'), '').split(' ')[1]
  return Number(pages ?? 0) * pageBytes
}

function peakResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** A process may end between being listed and being read. */
function orGone<T>(read: () => T, gone: T): T {
  try {
    return read()
  } catch {
    return gone
  }
}
