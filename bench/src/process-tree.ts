import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second in which the kernel counts; the same on every Linux that Node runs on. */
const ticksPerSecond = 100
const pageBytes = 4096
const sampleIntervalMs = 20
const proportionalIntervalMs = 1_000

/** Cpu seconds of a process and of all its descendants, of those that have ended if they were waited for. */
export function cpuSeconds(pid: number): number {
  return sumOf([pid, ...descendantsOf(pid)], ownCpuSeconds)
}

function ownCpuSeconds(pid: number): number {
  const stat = orGone(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '')
  // The name in parentheses may hold anything; the numbers come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / ticksPerSecond
}

/** Cpu seconds of the descendants of this process that have ended. */
export function endedChildrenCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return ownCpuSeconds(process.pid) - (user + system) / 1_000_000
}

/** Memory of a process and of all its descendants together at one moment, in bytes. */
interface TreeMemory {
  readonly own: number
  readonly descendants: number
}

/** Watches the memory of a process and all its descendants. */
export interface MemoryWatch extends Disposable {
  /** The most that they had together so far. */
  peak(): TreeMemory
}

/**
 * Samples now and every 20 ms. A page that processes share counts once, in equal parts for each: their proportional set size, which
 * the kernel takes long to add up, so it is read when more is resident than ever before, and every second.
 */
export function watchMemory(pid: number): MemoryWatch {
  let mostResident = 0
  let readAt = 0
  let peak: TreeMemory = { own: 0, descendants: 0 }
  const sample = (): void => {
    const descendants = descendantsOf(pid)
    const resident = sumOf([pid, ...descendants], residentBytes)
    if (resident <= mostResident && performance.now() - readAt < proportionalIntervalMs) return
    mostResident = Math.max(mostResident, resident)
    readAt = performance.now()
    const next = { own: proportionalBytes(pid), descendants: sumOf(descendants, proportionalBytes) }
    if (next.own + next.descendants > peak.own + peak.descendants) peak = next
  }
  sample()
  const timer = setInterval(sample, sampleIntervalMs)
  return { peak: () => peak, [Symbol.dispose]: () => clearInterval(timer) }
}

function sumOf(pids: readonly number[], bytesOf: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + bytesOf(pid), 0)
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

function proportionalBytes(pid: number): number {
  const rollup = orGone(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'), '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024
}

/** A process may end between being listed and being read. */
function orGone<T>(read: () => T, gone: T): T {
  try {
    return read()
  } catch {
    return gone
  }
}
