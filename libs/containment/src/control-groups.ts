import { mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { type Hierarchy, findHierarchies } from './control-group-places.ts'
import { readProcess } from './process-table.ts'

/** The control group of one run. */
export interface ControlGroup {
  /** Its directories, one in each tree; a process joins by writing `0` to `cgroup.procs` in each. */
  readonly directories: readonly string[]
  /** True if the kernel killed a process of it for its memory. */
  wasOutOfMemory(): boolean
  /** Kills all that is in it and removes it. */
  remove(): Promise<void>
}

/** Control groups of this service. */
export interface ControlGroups extends AsyncDisposable {
  /** Names the means, such as `control group v1`. */
  readonly by: string
  /** True if the number of processes is bounded too. */
  readonly boundsProcesses: boolean
  /** Makes a group with these limits. */
  open(limits: { memoryBytes: number; processes: number }): ControlGroup
}

const killRounds = 400
const killRoundMs = 5

/**
 * Takes control groups of version 2 or 1 in which this service may make some, and removes those of services that are gone
 * with their processes. Returns why there are none otherwise.
 */
export async function openControlGroups(): Promise<ControlGroups | string> {
  const self = readProcess('self')
  if (self === undefined) return 'this system has no control groups'
  const found = findHierarchies()
  if (typeof found === 'string') return found
  const name = `wadi-${self.pid}-${self.startedAt}-${++opened}`
  const made: Hierarchy[] = []
  try {
    for (const hierarchy of found) {
      await removeLeftOvers(hierarchy.parent)
      mkdirSync(path.join(hierarchy.parent, name))
      made.push({ ...hierarchy, parent: path.join(hierarchy.parent, name) })
    }
    for (const { version, parent } of made) if (version === 2) enable(parent)
  } catch (error) {
    for (const { parent } of made) remove(parent)
    return `no control group can be made: ${errorMessage(error)}`
  }
  let runs = 0
  return {
    by: `control group v${made[0]?.version ?? 1}`,
    boundsProcesses: made.some(({ controllers }) => controllers.includes('pids')),
    open: (limits) => {
      runs += 1
      return openGroup(made, `run-${runs}`, limits)
    },
    [Symbol.asyncDispose]: async () => {
      for (const { parent } of made) await removeTree(parent)
    },
  }
}

/** The number of control groups that this process has opened: several services may share it. */
let opened = 0

function openGroup(
  hierarchies: readonly Hierarchy[],
  name: string,
  limits: { memoryBytes: number; processes: number },
): ControlGroup {
  const groups: { directory: string; version: 1 | 2; controllers: readonly string[] }[] = []
  for (const { parent, version, controllers } of hierarchies) {
    const directory = path.join(parent, name)
    mkdirSync(directory)
    groups.push({ directory, version, controllers })
    const bytes = String(limits.memoryBytes)
    const set = (file: string, value: string): void => writeFileSync(path.join(directory, file), value)
    if (controllers.includes('memory')) {
      set(version === 2 ? 'memory.max' : 'memory.limit_in_bytes', bytes)
      // Without swap in the kernel there is neither, and nothing to bound.
      attempt(() => (version === 2 ? set('memory.swap.max', '0') : set('memory.memsw.limit_in_bytes', bytes)))
      if (version === 2) attempt(() => set('memory.oom.group', '1'))
    }
    if (controllers.includes('pids')) set('pids.max', String(limits.processes))
  }
  return {
    directories: groups.map(({ directory }) => directory),
    wasOutOfMemory: () => groups.some(wasOutOfMemory),
    remove: async () => {
      for (const { directory } of groups) await removeGroup(directory)
    },
  }
}

function wasOutOfMemory({
  directory,
  version,
  controllers,
}: {
  directory: string
  version: 1 | 2
  controllers: readonly string[]
}): boolean {
  if (!controllers.includes('memory')) return false
  const text = attempt(() =>
    readFileSync(path.join(directory, version === 2 ? 'memory.events' : 'memory.oom_control'), 'latin1'),
  )
  return Number(/^oom_kill (\d+)$/m.exec(text ?? '')?.[1] ?? 0) > 0
}

function enable(directory: string): void {
  writeFileSync(path.join(directory, 'cgroup.subtree_control'), '+memory +pids')
}

async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const [, pid, startedAt] = /^wadi-(\d+)-(\d+)-\d+$/.exec(name) ?? []
    if (pid === undefined || readProcess(Number(pid))?.startedAt === startedAt) continue
    await removeTree(path.join(parent, name))
  }
}

async function removeTree(directory: string): Promise<void> {
  const names = attempt(() => readdirSync(directory, { withFileTypes: true })) ?? []
  for (const entry of names) if (entry.isDirectory()) await removeGroup(path.join(directory, entry.name))
  await removeGroup(directory)
}

async function removeGroup(directory: string): Promise<void> {
  // Nothing can be started in it any more, so that killing comes to an end.
  attempt(() => writeFileSync(path.join(directory, 'pids.max'), '0'))
  for (let round = 0; round < killRounds; round += 1) {
    for (const pid of processesIn(directory)) attempt(() => process.kill(pid, 'SIGKILL'))
    if (remove(directory)) return
    await delay(killRoundMs)
  }
}

function processesIn(directory: string): number[] {
  const text = attempt(() => readFileSync(path.join(directory, 'cgroup.procs'), 'latin1')) ?? ''
  // A process of an outer namespace shows as 0, which would mean this one's own group.
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

/** Returns true if the group is gone. */
function remove(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

/** Undefined when the kernel refuses. */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined
  }
}
