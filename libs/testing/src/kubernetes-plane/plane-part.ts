import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { planeProgram } from './plane-program.ts'

/** A running part of a plane. */
export interface PlanePart {
  readonly pid: number
  kill(signal?: NodeJS.Signals): void
  /** Ends the part with SIGKILL and waits for its end. */
  end(): Promise<void>
}

const readySeconds = 120
const shownLogLines = 20

/** Starts a part and waits until it is ready; its output goes to `<part>.log` in the directory. */
export async function startPlanePart(
  part: 'etcd' | 'kube-apiserver' | 'kube-controller-manager',
  directory: string,
  flags: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<PlanePart> {
  return startPart(part, directory, [planeProgram(), part, ...flags], isReady)
}

/** Starts the program of a part, as `startPlanePart` does. */
export async function startPart(
  part: string,
  directory: string,
  [program = '', ...args]: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<PlanePart> {
  const log = path.join(directory, `${part}.log`)
  const output = openSync(log, 'a')
  // The part ends when its input is closed, thus also with a test process that is killed.
  const child = spawn(program, args, { stdio: ['pipe', output, output] })
  closeSync(output)
  const exited = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const end = async () => {
    if (hasEnded()) return
    child.kill('SIGKILL')
    await exited
  }
  const deadline = performance.now() + readySeconds * 1000
  while (!(await isReady())) {
    if (!hasEnded() && performance.now() < deadline) {
      await delay(100)
      continue
    }
    await end()
    const lines = readFileSync(log, 'utf8').split('\n').slice(-shownLogLines)
    throw new Error(`${part} is not ready:\n${lines.join('\n')}`)
  }
  return { pid: child.pid ?? 0, kill: (signal = 'SIGKILL') => void child.kill(signal), end }
}
