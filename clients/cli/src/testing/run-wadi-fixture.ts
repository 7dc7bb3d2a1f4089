import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { nodeOptions } from '@wadi/testing/quick-start.ts'
import { runInKeptProcess } from './command-line-process-fixture.ts'
import type { CommandLineRun, RunResult } from './command-line-process-fixture.ts'

/** The file that starts the command line. */
export const mainFile = new URL('../main.ts', import.meta.url).pathname

interface RunOptions {
  environment?: Record<string, string>
  input?: string
  directory?: string
  /** True to end the process with the run, which shows what its end leaves behind; default false. */
  inOwnProcess?: boolean
}

/** Runs the command line in a process, with no terminal and with nothing but the given variables. */
export async function runWadi(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const run = {
    args,
    environment: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...options.environment },
    directory: options.directory ?? tmpdir(),
    input: options.input ?? '',
  }
  // Node.js reads its own variables when it starts.
  const isForNode = Object.keys(run.environment).some((name) => name.startsWith('NODE_'))
  return options.inOwnProcess || isForNode ? runInOwnProcess(run) : runInKeptProcess(run)
}

async function runInOwnProcess({ args, environment, directory, input }: CommandLineRun): Promise<RunResult> {
  const child = spawn(process.execPath, [...nodeOptions, mainFile, ...args], {
    cwd: directory,
    env: environment,
  })
  child.stdin.end(input)
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { stdout, stderr, code: child.exitCode }
}

/** Returns the message of the one warning or error in what a command wrote to standard error. */
export function loggedMessage(stderr: string): string {
  const [, message = ''] = /^[A-Z]{4}\[\d{4,}\] (.*)\n$/s.exec(stderr) ?? []
  return message.replaceAll('\n  ', '\n')
}

/** A temporary directory that goes away with the object. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'wadi-cli-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
