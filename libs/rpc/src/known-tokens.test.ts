import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { rememberTokens } from './known-tokens.ts'

const inSeconds = (seconds: number): number => Date.now() / 1_000 + seconds

/** Verification of tokens whose text is the service, and of `wrong`, which is none; with the tokens that were verified. */
function counted(until: () => number) {
  const verified: string[] = []
  const verify = rememberTokens(async (token) => {
    verified.push(token)
    if (token === 'wrong') throw new UnauthenticatedError('the signature is wrong')
    return { caller: { service: token, proof: 'token' }, until: until() }
  })
  return { verified, verify }
}

test('a token is verified once, and each for itself', async () => {
  const { verified, verify } = counted(() => inSeconds(60))
  for (const token of ['hydrator', 'api-gateway', 'hydrator', 'api-gateway']) {
    assert.deepEqual(await verify(token), { service: token, proof: 'token' })
  }
  assert.deepEqual(verified, ['hydrator', 'api-gateway'])
})

test('a token is verified again when it is no longer valid, and one that was not each time', async () => {
  const { verified, verify } = counted(() => inSeconds(0.2))
  await verify('hydrator')
  await delay(300)
  await verify('hydrator')
  for (let count = 0; count < 2; count++) await assert.rejects(verify('wrong'), UnauthenticatedError)
  assert.deepEqual(verified, ['hydrator', 'hydrator', 'wrong', 'wrong'])
})

test('a token that is valid in the tolerance of clocks alone is verified each time', async () => {
  const { verified, verify } = counted(() => inSeconds(-1))
  for (let count = 0; count < 2; count++) await verify('hydrator')
  assert.equal(verified.length, 2)
})
