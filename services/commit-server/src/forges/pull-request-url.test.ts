import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pullRequestUrl } from './pull-request-url.ts'

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
  ['https://git.example.com/team/deploy.git', ''],
  ['file:///srv/github/deploy.git', ''],
  ['not an address', ''],
]

for (const [repoUrl, page] of pages) {
  test(`the page for a pull request of ${repoUrl}`, () => {
    assert.equal(pullRequestUrl(repoUrl, 'change/a b', 'main'), page)
  })
}
