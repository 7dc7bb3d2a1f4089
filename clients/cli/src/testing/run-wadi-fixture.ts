import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What one run of the command line left behind. */
export interface RunResult {
  stdout: string
  stderr: string
  code: number | null
}

/** The file that starts the command line. */
export const mainFile = new URL('../main.ts', import.meta.url).pathname

/** Runs the command line in a process of its own, with no terminal and with nothing but the given variables. */
export async function runWadi(
  args: readonly string[],
  options: { environment?: Record<string, string>; input?: string; folder?: string } = {},
): Promise<RunResult> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    cwd: options.folder ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...options.environment },
  })
  child.stdin.end(options.input ?? '')
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { stdout, stderr, code: child.exitCode }
}

/** A temporary folder that goes away with the object. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'wadi-cli-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
