import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors, jwtVerify, SignJWT } from 'jose'
import { tokenError } from './token-error.ts'

const key = Buffer.alloc(32, 'test')
const now = 1_800_000_000

for (const [claims, reason] of [
  [
    { nbf: now + 90 },
    'the clock of its issuer is 90 s or more ahead of the clock of this machine; set both clocks',
  ],
  [
    { iat: now + 30 },
    'the clock of its issuer is 30 s or more ahead of the clock of this machine; set both clocks',
  ],
  [{ exp: now - 45 }, 'it expired 45 s ago by the clock of this machine'],
  [
    { iat: now - 600 },
    'it was issued 600 s ago by the clock of this machine, which is too long; compare it with the clock of its issuer',
  ],
  [{ iat: now, aud: 'another' }, 'unexpected "aud" claim value'],
] as const) {
  test(`a token with ${JSON.stringify(claims)} is refused with: ${reason}`, async () => {
    const whole = { iat: now, nbf: now, exp: now + 60, aud: 'wadi', ...claims }
    const token = await new SignJWT(whole).setProtectedHeader({ alg: 'HS256' }).sign(key)
    const verifying = jwtVerify(token, key, {
      audience: 'wadi',
      maxTokenAge: 60,
      currentDate: new Date(now * 1_000),
    })
    await assert.rejects(
      verifying,
      (error) => error instanceof errors.JOSEError && tokenError(error, token, now * 1_000) === reason,
    )
  })
}
