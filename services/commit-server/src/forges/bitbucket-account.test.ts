import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitbucketAccount } from './bitbucket-account.ts'

for (const [title, values, token, account] of [
  ['the user of git with its password', { username: 'ada' }, 'p', { token: 'p', username: 'ada' }],
  ['an access token as password', { username: 'x-token-auth' }, 't', { token: 't', username: undefined }],
  ['a bearer token', { username: 'ada', bearerToken: 't' }, 't', { token: 't', username: undefined }],
  ['an access token', { username: 'ada', forgeToken: 't' }, 't', { token: 't', username: undefined }],
  [
    'an API token with the address of its account',
    { username: 'ada', forgeToken: 'ada@example.com:t:u' },
    'ada@example.com:t:u',
    { token: 't:u', username: 'ada@example.com' },
  ],
] as const) {
  test(`Bitbucket is asked with ${title}`, () => {
    assert.deepEqual(bitbucketAccount(values, token), account)
  })
}
