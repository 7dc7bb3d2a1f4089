import type { RunMemory } from './container-memory.ts'
import type { ControlGroups } from './control-groups.ts'
import type { ChosenIsolation, IsolationMeans } from './choose-isolator.ts'
import { sizeText } from './size-text.ts'

/** The attacks that contained programs are kept from, and the limits that they are kept to. */
type ProtectionName =
  | 'memory'
  | 'processor time'
  | 'end with the service'
  | 'out-of-memory order'
  | 'files'
  | 'network'
  | 'processes'

/** One protection of this machine. */
export interface Protection {
  readonly name: ProtectionName
  readonly active: boolean
  /** By what means; empty when it is not active. */
  readonly by: string
  /** Why it is not active, or how it could be stronger; empty when there is nothing to say. */
  readonly lacks: string
  /** The action that fixes it; empty if none is needed. */
  readonly remedy: string
}

/** The means of protection found on a machine. */
interface FoundMeans {
  /** Why there are none if it is a text. */
  readonly controlGroups: ControlGroups | string
  readonly memory: RunMemory
  readonly isolation: ChosenIsolation
  readonly diesWithParent: boolean
}

const groupRemedy =
  'run the service in a control group that is delegated to it: with systemd Delegate=memory pids, in a container with a writable /sys/fs/cgroup; or bound the memory of its container'
const isolationRemedy =
  'allow user namespaces for the user of the service, and install util-linux (unshare, mount, setpriv); or take a kernel with Landlock (Linux 6.2 or newer), and install perl'

/** The protections that contained programs have, in a fixed order. */
export function describeProtections(found: FoundMeans): Protection[] {
  const isLinux = process.platform === 'linux'
  return [
    memory(found, isLinux),
    active('processor time', 'a limit of the kernel for each process (RLIMIT_CPU)'),
    endWithService(found, isLinux),
    isLinux
      ? active('out-of-memory order', 'programs are the first that the kernel kills (oom_score_adj 1000)')
      : missing('out-of-memory order', `${process.platform} has no such order`, 'run the service on Linux'),
    isolated('files', found, {
      namespaces: 'a root of its own with its private directory and its program (mount namespace)',
      landlock:
        'rules for its private directory, its program and the files of the system (Landlock); it may see names and attributes of others',
    }),
    isolated('network', found, {
      namespaces: 'a network namespace without a connection, unless a setting allows remote inputs',
      landlock: 'no sockets, unless a setting allows remote inputs (a filter of system calls)',
    }),
    processes(found),
  ]
}

function memory({ controlGroups, memory: { bytes, boundBy } }: FoundMeans, isLinux: boolean): Protection {
  const limit = `${sizeText(bytes)} for all processes of a run (${boundBy})`
  if (typeof controlGroups !== 'string') return active('memory', `${controlGroups.by}, ${limit}`)
  if (!isLinux)
    return missing('memory', `${process.platform} has no memory limits`, 'run the service on Linux')
  return {
    ...active(
      'memory',
      `a limit for each process (RLIMIT_DATA), and their sum sampled ten times a second, ${limit}`,
    ),
    lacks: controlGroups,
    remedy: groupRemedy,
  }
}

function endWithService({ diesWithParent }: FoundMeans, isLinux: boolean): Protection {
  const keeper = 'a process that kills what the service leaves'
  if (diesWithParent)
    return active('end with the service', `a signal of the kernel (setpriv --pdeathsig), and ${keeper}`)
  const by = active('end with the service', keeper)
  if (!isLinux) return by
  return { ...by, lacks: 'program setpriv is missing', remedy: 'install util-linux' }
}

function processes(found: FoundMeans): Protection {
  const { controlGroups, isolation } = found
  const counts = typeof controlGroups !== 'string' && controlGroups.boundsProcesses
  const hidden = {
    namespaces: 'a program sees no other process (PID namespace)',
    landlock: 'a program may not signal or trace others (Landlock)',
  }
  const means = [
    ...(counts ? [`${controlGroups.by} bounds their number`] : []),
    ...(isolation.means === undefined || isolation.reachesProcesses ? [] : [hidden[isolation.means]]),
  ]
  const lacks = isolation.reachesProcesses
    ? isolation.means === undefined
      ? notIsolatedBecause(isolation)
      : `${noNamespaces(isolation)}; this kernel's Landlock does not cover signals`
    : ''
  const [by, remedy] = [means.join('; '), lacks && isolationRemedy]
  return { name: 'processes', active: means.length > 0, by, lacks, remedy }
}

function isolated(
  name: ProtectionName,
  { isolation }: FoundMeans,
  by: Readonly<Record<IsolationMeans, string>>,
): Protection {
  if (isolation.means !== undefined) return active(name, by[isolation.means])
  return missing(name, notIsolatedBecause(isolation), isolationRemedy)
}

/** Returns the reasons why programs are not isolated. */
export function notIsolatedBecause(isolation: ChosenIsolation): string {
  return `${noNamespaces(isolation)}; no Landlock: ${isolation.noLandlockBecause}`
}

function noNamespaces({ noNamespacesBecause }: ChosenIsolation): string {
  return `no namespaces: ${noNamespacesBecause}`
}

function active(name: ProtectionName, by: string): Protection {
  return { name, active: true, by, lacks: '', remedy: '' }
}

function missing(name: ProtectionName, lacks: string, remedy: string): Protection {
  return { name, active: false, by: '', lacks, remedy }
}

/** The protections in one line of a log: the means of each that is active, and why another is not. */
export function protectionSummary(protections: readonly Protection[]): Record<string, string> {
  return Object.fromEntries(
    protections.map(({ name, active: isActive, by, lacks }) => [
      name,
      isActive ? by : `not active: ${lacks}`,
    ]),
  )
}
