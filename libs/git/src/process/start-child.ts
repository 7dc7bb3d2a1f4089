import path from 'node:path'
import {
  DomainError,
  errorMessage,
  FailedPreconditionError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { isShortOfProcesses, tooManyProcesses } from '@wadi/errors/machine-shortage.ts'
import { notExecutableBecause } from '@wadi/programs/not-executable.ts'
import type { Program } from '@wadi/programs/program.ts'
import { startProgram } from '@wadi/programs/start-program.ts'
import type { StartedProgram } from '@wadi/programs/started-program.ts'

/**
 * Starts a program with a pipe for each of its standard streams.
 * @throws FailedPreconditionError if it is not installed, MachineShortageError if no process or file more is allowed,
 *   StarterLostError
 */
export async function startChild(program: Omit<Program, 'hasInput'>): Promise<StartedProgram> {
  try {
    return await startProgram({ ...program, hasInput: true })
  } catch (error) {
    throw startFailure(program, error)
  }
}

function startFailure(
  { label, command, environment }: Omit<Program, 'hasInput'>,
  cause: unknown,
): DomainError {
  if (cause instanceof DomainError) return cause
  const text = `cannot start ${label}`
  if (isShortOfProcesses(cause)) return tooManyProcesses(`${text}: ${errorMessage(cause)}`, { cause })
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
    return new FailedPreconditionError(`${text}: the program or its directory does not exist`, { cause })
  if (cause instanceof Error && 'code' in cause && cause.code === 'EACCES') {
    const directories = path.isAbsolute(command) ? [''] : (environment['PATH'] ?? '').split(path.delimiter)
    for (const file of directories.map((directory) => path.join(directory, command))) {
      const reason = notExecutableBecause(file)
      if (reason !== undefined) return new FailedPreconditionError(`${text}: ${file}: ${reason}`, { cause })
    }
  }
  return new UnavailableError(`${text}: ${errorMessage(cause)}`, { cause })
}
