import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Cost } from './measurement.ts'
import { endedChildrenCpuSeconds } from './process-tree.ts'

/** Runs a program to its end, with nothing but the given variables; its output is read and dropped. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Cost> {
  const cpuBefore = endedChildrenCpuSeconds()
  const started = performance.now()
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  await once(child, 'close')
  const wall = (performance.now() - started) / 1000
  if (child.exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${child.exitCode}`)
  return { wall, cpu: endedChildrenCpuSeconds() - cpuBefore }
}
