import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administrator } from './caller.ts'
import { commitAuthor } from './commit-author.ts'

const cases: [string, string, string, string][] = [
  ['alice', 'alice@example.com', 'alice', 'alice@example.com'],
  ['alice', '', 'alice', 'alice@localhost'],
  ['proj:dev:ci', '', 'proj:dev:ci', 'proj-dev-ci@localhost'],
  [
    'Eve <root@example.com>\nSigned-off-by: x',
    'x>\ny@z',
    'Eve root@example.com Signed-off-by: x',
    'Eve-root-example.com-Signed-off-by-x@localhost',
  ],
  ['', '', 'unknown', 'unknown@localhost'],
]

for (const [username, email, authorName, authorEmail] of cases) {
  test(`${JSON.stringify(username)} with the address ${JSON.stringify(email)} commits as ${authorEmail}`, () => {
    assert.deepEqual(commitAuthor({ ...administrator, username, email }), { authorName, authorEmail })
  })
}
