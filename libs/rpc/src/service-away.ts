import { DomainError } from '@wadi/errors/domain-error.ts'

/** The code of an error of a service of the mesh that cannot be reached, as while it is restarted. */
export const serviceAway = 'service-away'

/** Returns whether a call failed as a service of the mesh cannot be reached. */
export function isServiceAway(error: unknown): boolean {
  return error instanceof DomainError && error.code === serviceAway
}
