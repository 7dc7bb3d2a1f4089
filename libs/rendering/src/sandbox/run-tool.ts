import { spawn } from 'node:child_process'
import { ResourceExhaustedError, TimeLimitError, UnavailableError } from '@wadi/errors/domain-error.ts'

/** Largest part of a tool's error output that is kept, in bytes; the rest is read and dropped. */
const keptErrorBytes = 64 * 1024

/** How a tool is run. */
export interface RunToolOptions {
  readonly cwd: string
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMilliseconds: number
  /** Largest output that is read, in bytes. */
  readonly outputBytes: number
  readonly signal: AbortSignal | undefined
}

/** What a tool that ran to its end left. */
export interface ToolResult {
  readonly exitCode: number
  readonly output: Buffer
  readonly errorOutput: string
}

/**
 * Runs a program without a shell, in a process group of its own that is killed as a whole.
 * @throws TimeLimitError after the time limit, ResourceExhaustedError above the output limit,
 *   UnavailableError if it cannot be started, the signal's reason if aborted
 */
export function runTool(argv: readonly string[], options: RunToolOptions): Promise<ToolResult> {
  const [file = '', ...args] = argv
  const tool = file.slice(file.lastIndexOf('/') + 1)
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted()
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const output: Buffer[] = []
    let outputBytes = 0
    const errorOutput: Buffer[] = []
    let errorBytes = 0
    let failure: Error | undefined
    const kill = (error: Error): void => {
      failure ??= error
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group is gone already.
      }
    }
    const onAbort = (): void => {
      const reason: unknown = options.signal?.reason
      kill(reason instanceof Error ? reason : new Error(String(reason)))
    }
    options.signal?.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(() => {
      const seconds = options.timeoutMilliseconds / 1000
      kill(new TimeLimitError(`${tool} did not finish within ${seconds} s and was stopped`))
    }, options.timeoutMilliseconds)
    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length
      if (outputBytes <= options.outputBytes) output.push(chunk)
      else
        kill(
          new ResourceExhaustedError(`${tool} wrote more than ${options.outputBytes} bytes and was stopped`),
        )
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errorBytes < keptErrorBytes) errorOutput.push(chunk.subarray(0, keptErrorBytes - errorBytes))
      errorBytes += chunk.length
    })
    child.on('error', (error) => {
      failure ??= new UnavailableError(`${tool} cannot be started: ${error.message}`, { cause: error })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
      if (failure !== undefined) reject(failure)
      else {
        resolve({
          exitCode: code ?? -1,
          output: Buffer.concat(output),
          errorOutput: Buffer.concat(errorOutput).toString(),
        })
      }
    })
  })
}
