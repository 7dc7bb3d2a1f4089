import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The variable by which the processes of a run are found again; its value is the directory of the run. */
export const runVariable = 'WADI_PLUGIN_RUN'

const maxRounds = 40
// Process ids come round after 32,768 of them at the earliest, which nobody starts in this time.
const mostReliableMs = 1_000
const roundMs = 5

/** A moment, by the last process that had been started. */
export interface ProcessMoment {
  readonly lastProcess: number
  readonly at: number
}

/** The present moment; undefined where there is no /proc. */
export function processMoment(): ProcessMoment | undefined {
  const lastProcess = Number(
    readable(() => readFileSync('/proc/loadavg', 'latin1'))
      ?.trim()
      .split(' ')
      .at(-1),
  )
  return lastProcess > 0 ? { lastProcess, at: performance.now() } : undefined
}

/**
 * Kills the processes of this user that belong to the directory of a run: those that were started with it in
 * `WADI_PLUGIN_RUN` and those that work in it, whatever process group they went to. One
 * that left the group and the directory and dropped its environment as well is known by nothing any more: it ends with its
 * container. Where there is no /proc it does nothing.
 * @param directory without symbolic links
 * @param since no process of the run is older; older ones are not examined
 */
export async function killStrayProcesses(directory: string, since: ProcessMoment | undefined): Promise<void> {
  const belongs = belongsTo(directory)
  await killAll((pid, now) => isSince(pid, since, now) && belongs(pid))
}

/**
 * The same for all runs below a directory, of a service that is gone. A process with other mounts, in another container
 * that shares the process ids, means another directory by the same path and is left alone.
 */
export async function killLeftOverProcesses(directory: string): Promise<void> {
  const belongs = belongsTo(directory)
  await killAll((pid) => belongs(pid) && mountsOf(pid) === mountsOf('self'))
}

async function killAll(belongs: (pid: number, now: ProcessMoment | undefined) => boolean): Promise<void> {
  // A process may fork while it is looked for, so only a round that finds none is the last.
  for (let round = 0; round < maxRounds; round += 1) {
    const now = processMoment()
    const found = processIds().filter((pid) => readable(() => belongs(pid, now)) === true)
    if (found.length === 0) return
    for (const pid of found) readable(() => process.kill(pid, 'SIGKILL'))
    await delay(roundMs)
  }
}

function processIds(): number[] {
  const names = readable(() => readdirSync('/proc')) ?? []
  return names.map(Number).filter((pid) => pid > 0 && pid !== process.pid)
}

function isSince(pid: number, since: ProcessMoment | undefined, now: ProcessMoment | undefined): boolean {
  if (since === undefined || now === undefined || now.at - since.at > mostReliableMs) return true
  const [first, last] = [since.lastProcess, now.lastProcess]
  return first <= last ? first < pid && pid <= last : first < pid || pid <= last
}

function belongsTo(directory: string): (pid: number) => boolean {
  const user = process.getuid?.()
  const marks = [`${directory}\0`, `${directory}/`].map((end) => Buffer.from(`\0${runVariable}=${end}`))
  return (pid) => {
    if (statSync(`/proc/${pid}`).uid !== user) return false
    const workingDirectory = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '')
    if (workingDirectory === directory || workingDirectory.startsWith(`${directory}/`)) return true
    const environment = Buffer.concat([Buffer.of(0), readFileSync(`/proc/${pid}/environ`), Buffer.of(0)])
    return marks.some((mark) => environment.includes(mark))
  }
}

function mountsOf(process: number | 'self'): string {
  return readlinkSync(`/proc/${process}/ns/mnt`)
}

/** Undefined for a process that ended meanwhile or is not ours to look at. */
function readable<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
