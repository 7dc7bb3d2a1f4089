import { type JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'

/**
 * Says what is wrong with a token that `jose` refused. Where a time of it lies on the wrong side of now, the clocks of two
 * machines may differ: the message says by how much.
 */
export function tokenError(error: JOSEError, token: string, now: number = Date.now()): string {
  const isTime =
    error instanceof JWTExpired ||
    (error instanceof JWTClaimValidationFailed && error.reason === 'check_failed' && isTimeClaim(error.claim))
  if (!isTime) return error.message
  const at = decodeJwt(token)[error.claim]
  if (typeof at !== 'number') return error.message
  const seconds = Math.round(at - now / 1_000)
  if (seconds > 0) {
    return `the clock of its issuer is ${seconds} s or more ahead of the clock of this machine; set both clocks`
  }
  if (error.claim === 'exp') return `it expired ${-seconds} s ago by the clock of this machine`
  return `it was issued ${-seconds} s ago by the clock of this machine, which is too long; compare it with the clock of its issuer`
}

function isTimeClaim(claim: string): boolean {
  return claim === 'nbf' || claim === 'iat' || claim === 'exp'
}
