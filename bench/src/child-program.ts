import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A program of this workspace in a process of its own. */
export interface ChildProgram extends AsyncDisposable {
  readonly pid: number
  /** What it printed when it was up. */
  readonly firstLine: string
}

/** Ends this program as SIGTERM does when the one that started it is gone. */
export function endWithParent(): void {
  process.stdin
    .once('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref()
}

/** Starts a program and waits until it prints a line; disposal sends SIGTERM and waits for its end. */
export async function startChildProgram(
  program: URL,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ChildProgram> {
  // Options for Node come through WADI_BENCH_NODE_OPTIONS, for a profile of the children alone.
  const nodeOptions = process.env['WADI_BENCH_NODE_OPTIONS']?.split(' ') ?? []
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program), ...args], {
    env: { ...process.env, ...environment },
    // The program ends when its stdin does, so it never outlives a benchmark that was killed.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([line, exited.then(() => undefined)])
  if (first === undefined || child.pid === undefined) throw new Error(`${program.pathname} ended early`)
  return {
    pid: child.pid,
    firstLine: String(first[0]),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
