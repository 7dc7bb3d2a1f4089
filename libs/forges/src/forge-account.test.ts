import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgeNamed } from './forges.ts'

const alone = { token: 't', username: undefined }

for (const [title, forge, values, token, account] of [
  ['Bitbucket: the user of git', 'bitbucket', { username: 'ada' }, 't', { token: 't', username: 'ada' }],
  ['Bitbucket: an access token as password', 'bitbucket', { username: 'x-token-auth' }, 't', alone],
  ['Bitbucket: a bearer token', 'bitbucket', { username: 'ada', bearerToken: 't' }, 't', alone],
  ['Bitbucket: an access token', 'bitbucket', { username: 'ada', forgeToken: 't' }, 't', alone],
  [
    'Bitbucket: an API token',
    'bitbucket',
    { username: 'ada', forgeToken: 'ada@example.com:t:u' },
    'ada@example.com:t:u',
    { token: 't:u', username: 'ada@example.com' },
  ],
  [
    'Bitbucket Data Center: the user of git',
    'bitbucket-server',
    { username: 'ada' },
    't',
    { token: 't', username: 'ada' },
  ],
  [
    'Bitbucket Data Center: an access token',
    'bitbucket-server',
    { username: 'ada', forgeToken: 't' },
    't',
    alone,
  ],
  ['Gitea: the user of git', 'gitea', { username: 'ada' }, 't', { token: 't', username: 'ada' }],
  ['Gitea: a token', 'gitea', { username: 'ada', forgeToken: 't' }, 't', alone],
  ['GitHub: a token as password', 'github', { username: 'ada' }, 't', alone],
  ['GitLab: a token as password', 'gitlab', { username: 'oauth2' }, 't', alone],
] as const) {
  test(`as whom a forge is asked: ${title}`, () => {
    const { username, ...found } = forgeNamed(forge)?.account?.(values, token) ?? { token }
    assert.deepEqual({ ...found, username }, account)
  })
}
