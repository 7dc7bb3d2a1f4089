import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FailedPreconditionError } from './domain-error.ts'

/** The file that a directory has while a backup or a restore fills it. */
export const incompleteMarker = 'wadi-incomplete'

/** @throws FailedPreconditionError for a directory that a backup or a restore has not filled to the end */
export function refuseIncomplete(directory: string): void {
  if (!existsSync(join(directory, incompleteMarker))) return
  throw new FailedPreconditionError(
    `${directory} is incomplete: "wadi admin restore" (or backup) still fills it or was interrupted; wait for its end, or run it again with the same directory`,
  )
}
