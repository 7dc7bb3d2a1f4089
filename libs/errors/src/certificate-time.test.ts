import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certificateTimeMessage } from './certificate-time.ts'

for (const [code, message] of [
  [
    'CERT_NOT_YET_VALID',
    'no; by the clock of this machine it is not valid yet: set the clocks of both machines',
  ],
  [
    'CERT_HAS_EXPIRED',
    'no; by the clock of this machine it has expired: renew it, or set the clocks of both machines',
  ],
  ['ECONNREFUSED', 'no'],
] as const) {
  test(`a connection that fails by ${code} is reported as: ${message}`, () => {
    const inner = Object.assign(new Error('inner'), { code })
    assert.equal(certificateTimeMessage('no', new Error('outer', { cause: inner })), message)
  })
}
