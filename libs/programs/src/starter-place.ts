import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { errorMessage, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { notExecutableBecause } from './not-executable.ts'

/** The name of the starter's socket in its directory. */
export const socketName = 's'

/** Bytes of the path of a socket in Linux; macOS has a few less, and its temporary directory is short. */
const maxSocketPath = 107

/** Codes of shortages that another directory would not fix. */
const shortages = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT'])

/**
 * Makes the private directory of a starter in the temporary directory.
 * @throws FailedPreconditionError when nothing can be made there; the error of the system when the machine is short of something
 */
export function makeStarterDirectory(): string {
  const place = tmpdir()
  const scratch = withPlace(place, () => mkdtempSync(path.join(place, 'wadi-starter-')))
  const socket = Buffer.byteLength(path.join(scratch, socketName))
  if (socket <= maxSocketPath) return scratch
  rmSync(scratch, { recursive: true, force: true })
  const longest = maxSocketPath - (socket - Buffer.byteLength(place))
  throw new FailedPreconditionError(
    `no program can be started: the path of the temporary directory ${place} is too long for a socket; set TMPDIR to one of at most ${longest} bytes`,
  )
}

function withPlace(place: string, make: () => string): string {
  try {
    return make()
  } catch (error) {
    if (isShortage(error)) throw error
    throw new FailedPreconditionError(
      `no program can be started: nothing can be written to the temporary directory ${place} (${errorMessage(error)}); ` +
        'make it writable, mount a writable volume there, or set TMPDIR to another directory',
      { cause: error },
    )
  }
}

/** The error for a starter that the system did not start; one for a shortage stays as it is, with its code. */
export function noStarter(error: Error): Error {
  if (isShortage(error)) return error
  const reason = notExecutableBecause(process.execPath) ?? errorMessage(error)
  return new FailedPreconditionError(
    `no program can be started: ${process.execPath}, by which Wadi runs, cannot be executed any more: ${reason}; then restart Wadi`,
    { cause: error },
  )
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(String(error.code))
}
