import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { until } from '../until.ts'
import type { NodePlace } from './node-place.ts'

const here = import.meta.dirname

/** The namespaces of a node. */
export interface NodeNamespaces {
  /** Their process 1, by its number outside. */
  readonly init: number
  /** Ends all their processes at once, and waits until nothing is left of them and the directory. */
  readonly end: () => Promise<void>
}

/** Opens the namespaces of a node, which end with this process at the latest. */
export async function openNamespaces(
  directory: string,
  group: string,
  { name, address }: NodePlace,
): Promise<NodeNamespaces> {
  const own = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc']
  const first = ['sh', path.join(here, 'start-node.sh'), directory, group, name, address]
  const args = [path.join(here, 'end-node.sh'), directory, group, 'unshare', ...own, ...first]
  // In a group of its own, so that it also cleans up after a test that is interrupted.
  const child = spawn('sh', args, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
  const exited = once(child, 'exit')
  const end = async () => {
    child.stdin.destroy()
    await exited
  }
  await until(() => existsSync(path.join(directory, 'begun')) || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error('the namespaces of a node cannot be opened')
  return { init: childOf(childOf(child.pid ?? 0)), end }
}

function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)
}

/** Returns the command that runs a command in the namespaces of a node. */
export function inNode(init: number, command: readonly string[]): string[] {
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc']
  return ['nsenter', '--target', String(init), ...namespaces, '--', ...command]
}
