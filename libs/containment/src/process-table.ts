import { readFileSync, readdirSync } from 'node:fs'

/** A process as Linux reports it. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Processor time so far, without that of ended children. */
  readonly cpuSeconds: number
  /** When it started, in ticks since the machine did; distinguishes it from a later process with its id. */
  readonly startedAt: string
  /** Memory that is not given to a file, in bytes; memory that several processes share is counted for each. */
  readonly residentBytes: number
}

// Both are constants of the interface to programs on all machines that Node.js runs on, but for the page of some.
const ticksPerSecond = 100
const pageBytes = 4096

/** The process, or undefined when it ended or where there is no /proc. */
export function readProcess(pid: number | 'self'): ProcessEntry | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (index: number): number => Number(fields[index - 3])
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return {
      pid: Number.parseInt(text, 10),
      parent: number(4),
      group: number(5),
      session: number(6),
      cpuSeconds: (number(14) + number(15)) / ticksPerSecond,
      startedAt: fields[22 - 3] ?? '',
      residentBytes: number(24) * pageBytes,
    }
  } catch {
    return undefined
  }
}

/** The ids of all processes that this one can see; none where there is no /proc. */
function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid)
  } catch {
    return []
  }
}

/** The processes of a group, of its session and all their descendants, whatever group they went to. */
export function processesOfGroup(leader: number): ProcessEntry[] {
  const all = processIds().flatMap((pid) => readProcess(pid) ?? [])
  const found = new Map<number, ProcessEntry>()
  for (const entry of all) {
    if (entry.pid === leader || entry.group === leader || entry.session === leader)
      found.set(entry.pid, entry)
  }
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const entry of all) if (found.has(entry.parent)) found.set(entry.pid, entry)
  }
  return [...found.values()]
}

/** Memory of a process in which what several share is divided among them, in bytes; that of files apart. */
export function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    const kibibytes = (name: string): number =>
      Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
    return (kibibytes('Pss_Anon') + kibibytes('Pss_Shmem') + kibibytes('SwapPss')) * 1024
  } catch {
    return 0
  }
}
