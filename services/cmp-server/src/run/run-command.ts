import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import {
  CanceledError,
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'

/** What a command is given, and the bounds within which it must stay. */
export interface CommandOptions {
  /** An existing folder. */
  cwd: string
  /** The whole environment; nothing is inherited. */
  environment: Readonly<Record<string, string>>
  /** Stops the command when it aborts. */
  signal: AbortSignal
  timeoutMs: number
  /** Time between SIGTERM and SIGKILL. */
  graceMs: number
  maxOutputBytes: number
}

/** What a command that ended well wrote. */
export interface CommandOutput {
  /** Standard output without one line feed at its end. */
  text: string
  /** The end of the error output, trimmed. */
  errors: string
}

const keptErrorBytes = 64 * 1024

/**
 * Runs a command without a shell in a process group of its own, of which nothing is left when this returns. On abort,
 * timeout or too much output the group gets SIGTERM and, after the grace, SIGKILL.
 * @throws InvalidInputError in Argo CD's words when the command fails; FailedPreconditionError when it cannot be started;
 *   DeadlineExceededError, CanceledError or ResourceExhaustedError when it was stopped
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandOutput> {
  const shown = shownCommand(argv)
  const [name = '', ...args] = argv
  const file = await findProgram(name, options.cwd)
  throwIfAborted(options.signal, shown)
  const child = startChild(file, args, options, shown)
  const group = new ProcessGroup(child, options.graceMs)
  const onAbort = () => group.stop(stopReason(options.signal, shown))
  options.signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => {
    group.stop(new DeadlineExceededError(`${shown} took longer than ${options.timeoutMs / 1000} s`))
  }, options.timeoutMs)
  const output = collect(child, options.maxOutputBytes, () =>
    group.stop(new ResourceExhaustedError(`${shown} wrote more than ${options.maxOutputBytes} bytes`)),
  )
  try {
    const status = await ended(child, shown)
    if (group.stopReason !== undefined) throw group.stopReason
    const { text, errors } = output()
    if (status !== 'exit status 0') throw new InvalidInputError(`${shown} failed ${status}: ${errors}`)
    return { text, errors }
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', onAbort)
    group.end()
  }
}

/** The processes of one command. */
class ProcessGroup {
  stopReason: Error | undefined
  readonly #child: ChildProcess
  readonly #graceMs: number
  #killTimer: NodeJS.Timeout | undefined

  constructor(child: ChildProcess, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
  }

  stop(reason: Error): void {
    if (this.stopReason !== undefined) return
    this.stopReason = reason
    this.#signal('SIGTERM')
    this.#killTimer = setTimeout(() => {
      this.end()
      // A process that left the group may hold the pipes open for ever.
      this.#child.stdout?.destroy()
      this.#child.stderr?.destroy()
    }, this.#graceMs)
  }

  /** Kills what is left, background processes of a command that ended well among it. */
  end(): void {
    clearTimeout(this.#killTimer)
    this.#signal('SIGKILL')
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, name)
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
      if (!isGone) throw error
    }
  }
}

/** The program is looked up with the PATH of this process: the one of the child is not to decide what runs. */
async function findProgram(name: string, cwd: string): Promise<string> {
  if (name.includes('/')) return path.resolve(cwd, name)
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue
    const file = path.join(folder, name)
    if (await isExecutable(file)) return file
  }
  throw new FailedPreconditionError(`exec: "${name}": executable file not found in $PATH`)
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function startChild(file: string, args: string[], options: CommandOptions, shown: string): ChildProcess {
  try {
    const { cwd, environment: env } = options
    return spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  } catch (cause) {
    // Too large an environment or argument list is thrown, not emitted.
    throw new FailedPreconditionError(`cannot start ${shown}: ${errorMessage(cause)}`, { cause })
  }
}

function collect(child: ChildProcess, maxBytes: number, onExcess: () => void): () => CommandOutput {
  const chunks: Buffer[] = []
  let size = 0
  let errors = Buffer.alloc(0)
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else onExcess()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-keptErrorBytes)
  })
  return () => ({
    text: Buffer.concat(chunks).toString().replace(/\n$/, ''),
    errors: errors.toString().trim(),
  })
}

function ended(child: ChildProcess, shown: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      resolve(code === null ? `signal: ${signal ?? 'unknown'}` : `exit status ${code}`)
    })
    child.once('error', (cause) => {
      reject(new FailedPreconditionError(`cannot start ${shown}: ${cause.message}`, { cause }))
    })
  })
}

function throwIfAborted(signal: AbortSignal, shown: string): void {
  if (signal.aborted) throw stopReason(signal, shown)
}

function stopReason(signal: AbortSignal, shown: string): Error {
  const { reason: cause } = signal
  const isLate = cause instanceof Error && /deadline|timed? ?out/i.test(`${cause.name} ${cause.message}`)
  return isLate
    ? new DeadlineExceededError(`the time for ${shown} ran out`, { cause })
    : new CanceledError(`${shown} was cancelled`, { cause })
}

/** The command for messages; words with blanks or quotes in quotation marks. */
function shownCommand(argv: readonly string[]): string {
  const words = argv.map((word) => (/^[^\s"`]+$/.test(word) ? word : JSON.stringify(word)))
  const line = words.join(' ')
  return `\`${line.length > 300 ? `${line.slice(0, 300)}…` : line}\``
}
