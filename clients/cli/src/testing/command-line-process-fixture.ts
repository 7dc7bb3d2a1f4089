import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { nodeOptions } from '@wadi/testing/quick-start.ts'

/** One run of the command line. */
export interface CommandLineRun {
  args: readonly string[]
  /** All variables that it has. */
  environment: Record<string, string>
  directory: string
  /** Its standard input. */
  input: string
}

/** An order to a process of the command line. */
export interface CommandLineOrder extends CommandLineRun {
  /** The text that the process writes after the output of the run. */
  end: string
}

/** The result of one run of the command line. */
export interface RunResult {
  stdout: string
  stderr: string
  code: number | null
}

const program = join(import.meta.dirname, 'command-line-process.ts')

const idle: ChildProcess[] = []

/**
 * Runs the command line in a process that ran it before, or in a new one while all are busy, as loading the program takes ten times as
 * long as most commands. The processes end with this one.
 */
export async function runInKeptProcess(run: CommandLineRun): Promise<RunResult> {
  const child = idle.pop() ?? startProcess()
  if (child.stdout === null || child.stderr === null) throw new Error('a kept process has pipes')
  keepAwake(child, true)
  const end = randomUUID()
  const code = exitCode(child)
  const output = Promise.all([outputUntil(child.stdout, end), outputUntil(child.stderr, end)])
  child.send({ ...run, end } satisfies CommandLineOrder)
  const [stdout, stderr] = await output
  const result = { stdout, stderr, code: await code }
  if (child.connected) {
    keepAwake(child, false)
    idle.push(child)
  }
  return result
}

function startProcess(): ChildProcess {
  return fork(program, [], { execArgv: [...nodeOptions], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

/** Makes this process wait for the child before it ends, or not. */
function keepAwake(child: ChildProcess, isAwake: boolean): void {
  const streams = [child.stdout, child.stderr].filter((stream) => stream instanceof Socket)
  for (const handle of [child, child.channel, ...streams]) {
    if (isAwake) handle?.ref()
    else handle?.unref()
  }
}

/** The code that the process reports, or the one with which it ended itself. */
function exitCode(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const onMessage = (reported: unknown): void => settle(Number(reported))
  const settle = (code: number | null): void => {
    child.off('message', onMessage).off('close', settle)
    resolve(code)
  }
  child.on('message', onMessage).on('close', settle)
  return promise
}

function outputUntil(stream: Readable, end: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  let tail = ''
  const settle = (): void => {
    stream.off('data', take).off('end', settle)
    const output = Buffer.concat(chunks)
    resolve(output.toString('utf8', 0, tail === end ? output.length - end.length : output.length))
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    tail = `${tail}${chunk.toString('latin1')}`.slice(-end.length)
    if (tail === end) settle()
  }
  stream.on('data', take).on('end', settle)
  return promise
}
