import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import { DeadlineExceededError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { signalProgram } from '@wadi/programs/started-program.ts'
import type { StartedProgram } from '@wadi/programs/started-program.ts'
import { Replies } from './replies.ts'
import { startChild } from './start-child.ts'

/** The input of a program; a function gets what the program has written by then. */
export type ProgramInput =
  | Buffer
  | string
  | AsyncIterable<Buffer | string>
  | ((replies: Replies) => AsyncIterable<Buffer | string>)

/** The inputs and limits of a child process. */
type ChildOptions = {
  command: string
  args: string[]
  cwd: string
  environment: Record<string, string>
  /** Written to stdin; without it stdin is empty. */
  input?: ProgramInput
  signal?: AbortSignal
  timeoutMs: number
  maxOutputBytes: number
  /** The name of the process in messages. */
  label: string
}

/** The result of a child process that ended by itself, with its whole output. */
type ChildResult = { stdout: Buffer; stderr: string; exitCode: number | null }

const killDelayMs = 2_000
const maxStderrBytes = 64 * 1024

/**
 * Runs a program without a shell, in a process group of its own, and waits for its end.
 *
 * On abort, timeout or too much output the whole group gets SIGTERM and, two seconds later, SIGKILL.
 * @throws CanceledError, DeadlineExceededError or ResourceExhaustedError after the group is gone;
 *   FailedPreconditionError if the program is not installed, MachineShortageError if no process or file more is allowed. An exit code is a result, not an error.
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const { signal, label } = options
  if (signal?.aborted) throw abortError(signal, label)
  const child = await startChild({ ...options, leadsGroup: true })
  let stopReason: unknown
  let killTimer: NodeJS.Timeout | undefined
  const stop = (reason: unknown): void => {
    if (stopReason !== undefined) return
    stopReason = reason
    signalProgram(child.pid, 'SIGTERM', 'group')
    killTimer = setTimeout(() => {
      signalProgram(child.pid, 'SIGKILL', 'group')
      child.stdout.destroy()
      child.stderr.destroy()
    }, killDelayMs)
  }
  const onAbort = (): void => {
    if (signal !== undefined) stop(abortError(signal, label))
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  const timeout = setTimeout(
    () => stop(new DeadlineExceededError(`${label} took longer than ${options.timeoutMs / 1000} s`)),
    options.timeoutMs,
  )
  const output = collectOutput(child, options.maxOutputBytes, () =>
    stop(new ResourceExhaustedError(`${label} wrote more than ${options.maxOutputBytes} bytes`)),
  )
  try {
    const [{ exitCode }] = await Promise.all([child.closed, feed(child, options.input, stop)])
    if (stopReason !== undefined) throw stopReason
    return { ...output(), exitCode }
  } finally {
    clearTimeout(timeout)
    clearTimeout(killTimer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function collectOutput(
  child: StartedProgram,
  maxBytes: number,
  onExcess: () => void,
): () => { stdout: Buffer; stderr: string } {
  const chunks: Buffer[] = []
  let size = 0
  let stderr = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else onExcess()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-maxStderrBytes)
  })
  return () => ({ stdout: Buffer.concat(chunks), stderr: stderr.toString() })
}

async function feed(
  child: StartedProgram,
  input: ChildOptions['input'],
  stop: (reason: unknown) => void,
): Promise<void> {
  const source =
    typeof input === 'string' || Buffer.isBuffer(input)
      ? [input]
      : typeof input === 'function'
        ? input(repliesOf(child))
        : (input ?? [])
  try {
    await pipeline(Readable.from(source, { objectMode: true }), child.stdin)
  } catch (error) {
    // The exit code and stderr of a process that stops reading say why; only a failing source is an error.
    if (!isClosedPipe(error)) stop(error)
  }
}

function repliesOf({ stdout, closed }: StartedProgram): Replies {
  const replies = new Replies()
  stdout.on('data', (chunk: Buffer) => replies.push(chunk))
  const end = (): void => replies.end()
  closed.then(end, end)
  return replies
}

/** The codes of streams whose program stopped reading, or ended before it got any input. */
const closedPipe = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'])

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && closedPipe.has(String(error.code))
}
