import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The directory in which the launcher keeps compiled sources too. */
const compileCache = path.join(import.meta.dirname, '../../.cache/compile')
const memoryScript = path.join(import.meta.dirname, '../../mesh/memory.sh')
const quickModules = path.join(import.meta.dirname, '../../libs/programs/src/quick-modules.ts')

/** A program of this workspace in a process of its own. */
export interface ChildProgram extends AsyncDisposable {
  readonly pid: number
  /** The line that it printed when it was up. */
  readonly firstLine: string
  readonly process: ChildProcess
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
  // As the launcher and the image start services.
  const start = [
    '-c',
    '. "$0" && node=$1 && shift && exec "$node" $memory_flags "$@"',
    memoryScript,
    process.execPath,
    '--require',
    quickModules,
  ]
  const child = spawn('/bin/sh', [...start, ...nodeOptions, fileURLToPath(program), ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...environment },
    // The program ends when its stdin does, so it never outlives a benchmark that was killed.
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  if (child.stdout === null) throw new Error('a child has an output')
  const line = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([line, exited.then(() => undefined)])
  if (first === undefined || child.pid === undefined) throw new Error(`${program.pathname} ended early`)
  return {
    pid: child.pid,
    firstLine: String(first[0]),
    process: child,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
