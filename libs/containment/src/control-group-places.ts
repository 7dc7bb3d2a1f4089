import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type MountPoint, mountPoints } from '@wadi/programs/mount-points.ts'
import { readProcess } from './process-table.ts'

/** A tree of control groups in which this process may make some. */
export interface Hierarchy {
  readonly version: 1 | 2
  /** The directory in which they are made. */
  readonly parent: string
  readonly controllers: readonly string[]
}

/** The trees that bound memory and, where there is one, the number of processes; else why there is none. */
export function findHierarchies(): Hierarchy[] | string {
  const mounts = mountPoints()
  const groups = readFileSync('/proc/self/cgroup', 'latin1')
  const memory = versionOne('memory', mounts, groups)
  if (memory !== undefined) {
    if (!isWritable(memory.parent)) return `${memory.parent} is not writable`
    const pids = versionOne('pids', mounts, groups)
    return pids !== undefined && isWritable(pids.parent) ? [memory, pids] : [memory]
  }
  const mount = mounts.find(({ type }) => type === 'cgroup2')
  const own = /^0::(.*)$/m.exec(groups)?.[1]
  if (mount === undefined || own === undefined) return 'no control groups are mounted'
  return versionTwo(placeOf(mount, own), mount.point)
}

function versionOne(
  controller: string,
  mounts: readonly MountPoint[],
  groups: string,
): Hierarchy | undefined {
  const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
  const own = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(groups)?.[1]
  if (mount === undefined || own === undefined) return undefined
  return { version: 1, parent: placeOf(mount, own), controllers: [controller] }
}

/**
 * A group whose children have controllers may hold no process itself, so theirs are made beside the service's own group, or
 * below it after the service moved to a child with the process that starts its programs, if nothing else is in it.
 */
function versionTwo(own: string, top: string): Hierarchy[] | string {
  const controllers = ['memory', 'pids']
  const beside = path.dirname(own)
  if (own !== top && hasControllers(beside) && isWritable(beside)) {
    return [{ version: 2, parent: beside, controllers }]
  }
  if (!isWritable(own)) return `${own} is not delegated to this user`
  try {
    const pids = processesOf(own)
    const isOwn = (pid: number): boolean => pid === process.pid || readProcess(pid)?.parent === process.pid
    if (!pids.every(isOwn)) return `${own} holds other processes than this service`
    const leaf = path.join(own, 'wadi-service')
    mkdirSync(leaf, { recursive: true })
    for (const pid of pids) writeFileSync(path.join(leaf, 'cgroup.procs'), String(pid))
    writeFileSync(path.join(own, 'cgroup.subtree_control'), '+memory +pids')
    return [{ version: 2, parent: own, controllers }]
  } catch {
    return `${own} does not hand the memory controller down`
  }
}

function processesOf(directory: string): number[] {
  return readFileSync(path.join(directory, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number)
}

function hasControllers(directory: string): boolean {
  try {
    const words = readFileSync(path.join(directory, 'cgroup.subtree_control'), 'latin1').trim().split(' ')
    return words.includes('memory') && words.includes('pids')
  } catch {
    return false
  }
}

/** Returns the place in the file system of a control group that the kernel names; a container may see only a part of the tree. */
function placeOf({ point, root }: MountPoint, group: string): string {
  const inside = path.relative(root, group)
  return inside.startsWith('..') ? point : path.join(point, inside)
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    accessSync(path.join(directory, 'cgroup.procs'), constants.W_OK)
    return true
  } catch {
    return false
  }
}
