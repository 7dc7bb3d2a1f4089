import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pullRequestUrl } from './pull-request-url.ts'

const branches = { from: 'change/a b', to: 'main' }

const pages: [repoUrl: string, page: string][] = [
  [
    'https://github.com/Team/deploy.git',
    'https://github.com/team/deploy/compare/main...change/a%20b?expand=1',
  ],
  ['git@github.com:team/deploy.git', 'https://github.com/team/deploy/compare/main...change/a%20b?expand=1'],
  [
    'ssh://git@gitlab.example.com:2222/group/sub/deploy.git',
    'https://gitlab.example.com/group/sub/deploy/-/merge_requests/new?merge_request%5Bsource_branch%5D=change%2Fa+b&merge_request%5Btarget_branch%5D=main',
  ],
  ['https://codeberg.org/team/deploy', 'https://codeberg.org/team/deploy/compare/main...change/a%20b'],
  [
    'http://gitea.local:3000/team/deploy.git',
    'http://gitea.local:3000/team/deploy/compare/main...change/a%20b',
  ],
  [
    'https://bot:secret@bitbucket.org/team/deploy.git',
    'https://bitbucket.org/team/deploy/pull-requests/new?source=change%2Fa+b&dest=main',
  ],
  [
    'ssh://git@ssh.github.com:443/team/deploy.git',
    'https://github.com/team/deploy/compare/main...change/a%20b?expand=1',
  ],
  [
    'git@ssh.dev.azure.com:v3/org/web/deploy',
    'https://dev.azure.com/org/web/_git/deploy/pullrequestcreate?sourceRef=change%2Fa+b&targetRef=main',
  ],
  ['https://git.example.com/team/deploy.git', ''],
  ['file:///srv/github/deploy.git', ''],
  ['not an address', ''],
]

for (const [repoUrl, page] of pages) {
  test(`the page for a pull request of ${repoUrl}`, () => {
    assert.equal(pullRequestUrl(repoUrl, undefined, branches), page)
  })
}

for (const [forge, values, page] of [
  ['gitea', {}, 'https://git.example.com:8443/team/deploy/compare/main...change/a%20b'],
  [
    'forgejo',
    { forgeUrl: 'https://code.example.com' },
    'https://code.example.com/team/deploy/compare/main...change/a%20b',
  ],
  [
    'bitbucket-server',
    {},
    'https://git.example.com:8443/projects/team/repos/deploy/pull-requests?create&sourceBranch=refs%2Fheads%2Fchange%2Fa+b&targetBranch=refs%2Fheads%2Fmain',
  ],
] as const) {
  test(`the page of a forge that the Secret names: ${forge}`, () => {
    const secret = { name: 'write', values: { forge, ...values } }
    assert.equal(pullRequestUrl('https://git.example.com:8443/team/deploy.git', secret, branches), page)
  })
}

test('a Secret with an unknown forge gives no page', () => {
  const secret = { name: 'write', values: { forge: 'other' } }
  assert.equal(pullRequestUrl('https://git.example.com/team/deploy.git', secret, branches), '')
})
