import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FailedPreconditionError } from './domain-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it is not for that user to write',
  EPERM: 'it belongs to somebody else',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'it is not a directory',
}

/** Codes of SQLite for a file that it may not write (8), and for one that it cannot open or make (14); both have subcodes. */
const sqliteReasons: Readonly<Record<number, string>> = {
  8: 'a file in it is not for that user to write',
  14: 'a file in it is not for that user to read and write, or cannot be made',
}

/**
 * Returns the error of a service whose data directory cannot be used, with the user and what to do about it; an error of another
 * kind as it is.
 */
export function unusableDirectory(directory: string, cause: unknown): unknown {
  const [reason, code] = reasonOf(cause)
  if (reason === undefined) return cause
  const user = process.geteuid?.() ?? 0
  return new FailedPreconditionError(
    `the data directory ${directory} cannot be used by user ${user}: ${reason} (${code}); mount a volume there that user ${user} may write, or give ` +
      `it to that user (chown -R ${user} ${directory})`,
    { cause },
  )
}

function reasonOf(cause: unknown): [reason: string | undefined, code: string] {
  if (!(cause instanceof Error)) return [undefined, '']
  if ('errcode' in cause) return [sqliteReasons[Number(cause.errcode) & 0xff], cause.message]
  const code = 'code' in cause ? String(cause.code) : ''
  return [Object.hasOwn(reasons, code) ? reasons[code] : undefined, code]
}

/** The file that a directory has while a backup or a restore fills it. */
export const incompleteMarker = 'wadi-incomplete'

/** @throws FailedPreconditionError for a directory that a backup or a restore has not filled to the end */
export function refuseIncomplete(directory: string): void {
  if (!existsSync(join(directory, incompleteMarker))) return
  throw new FailedPreconditionError(
    `${directory} is incomplete: "wadi admin restore" (or backup) still fills it or was interrupted; wait for its end, or run it again with the same directory`,
  )
}
