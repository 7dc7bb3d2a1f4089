import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignatureCheck } from './signature-check.ts'
import { signerText } from './signature-problem.ts'

const key = {
  scheme: 'ssh',
  shown: 'SHA256:abc',
  names: ['bob@example.com', 'SHA256:abc'],
  owner: 'bob',
} as const
const good: SignatureCheck = { kind: 'good', key, until: Infinity }

test('a good signature of a known key is allowed unless a policy does not permit the key', () => {
  const policy = (...sshSigners: string[]) => ({ gpgKeys: [], sshSigners })
  const byBob = 'signed by bob, SSH key SHA256:abc'
  const notAllowed = 'signed by a key that is not allowed: SSH key SHA256:abc of bob'
  assert.equal(signerText(good, []), byBob)
  assert.equal(signerText(good, [policy('bob@example.com')]), byBob)
  assert.equal(signerText(good, [policy('bob@example.com'), policy('eve@example.com')]), notAllowed)
  assert.equal(signerText({ kind: 'revoked', key }, []), `${notAllowed}, which is revoked`)
  assert.equal(signerText({ kind: 'bad', key }, []), 'with a bad signature of SSH key SHA256:abc of bob')
})
