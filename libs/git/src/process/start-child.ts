import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { errorMessage, FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { DomainError } from '@wadi/errors/domain-error.ts'
import { isShortOfProcesses, tooManyProcesses } from '@wadi/errors/machine-shortage.ts'

/** A program to start with a pipe for each of its standard streams. */
type Program = {
  command: string
  args: readonly string[]
  cwd: string
  environment: Record<string, string>
  /** Whether it leads a process group of its own. */
  detached: boolean
  /** How messages call it. */
  label: string
}

/**
 * Starts a program; what becomes of it is reported by its events, of which `error` goes through `startFailure`.
 * @throws MachineShortageError if there are no pipes for it
 */
export function startChild({
  command,
  args,
  cwd,
  environment,
  detached,
  label,
}: Program): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'], detached })
  // Where no file can be opened, Node.js returns a process without streams.
  const { stdin }: { stdin?: unknown } = child
  if (stdin === undefined || stdin === null) {
    child.on('error', () => undefined)
    throw tooManyProcesses(`cannot start ${label}: no file can be opened (EMFILE)`)
  }
  return child
}

/** The error for a program that could not be started. */
export function startFailure(label: string, cause: unknown): DomainError {
  const text = `cannot start ${label}`
  if (isShortOfProcesses(cause)) return tooManyProcesses(`${text}: ${errorMessage(cause)}`, { cause })
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
    return new FailedPreconditionError(`${text}: the program or its directory does not exist`, { cause })
  return new UnavailableError(`${text}: ${errorMessage(cause)}`, { cause })
}
