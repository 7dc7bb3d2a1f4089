import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { serviceAway } from '@wadi/rpc/service-away.ts'
import { failureFrom } from './directory-errors.ts'

test('the failure of a service that stays away says where its reason is', () => {
  const away = new UnavailableError('repo-server is not available now', { code: serviceAway })
  assert.match(failureFrom(away).message, /^repo-server is not available now; .* OOMKilled/)
  assert.equal(failureFrom(new UnavailableError('the remote is away')).message, 'the remote is away')
})
