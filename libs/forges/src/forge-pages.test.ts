import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPullRequestPage, repositoryPages } from './forge-pages.ts'
import { forgeNamed } from './forges.ts'

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
    assert.equal(newPullRequestPage(repoUrl, {}, branches), page)
  })
}

for (const [forge, more, page] of [
  ['gitea', {}, 'https://git.example.com:8443/team/deploy/compare/main...change/a%20b'],
  [
    'gitea',
    { forgeUrl: 'https://code.example.com' },
    'https://code.example.com/team/deploy/compare/main...change/a%20b',
  ],
  [
    'bitbucket-server',
    {},
    'https://git.example.com:8443/projects/team/repos/deploy/pull-requests?create&sourceBranch=refs%2Fheads%2Fchange%2Fa+b&targetBranch=refs%2Fheads%2Fmain',
  ],
] as const) {
  test(`the page of a forge that an operator names: ${forge} ${JSON.stringify(more)}`, () => {
    const repoUrl = 'https://git.example.com:8443/team/deploy.git'
    assert.equal(newPullRequestPage(repoUrl, { forge: forgeNamed(forge), ...more }, branches), page)
  })
}

for (const [repoUrl, expected] of [
  [
    'https://github.com/team/deploy.git',
    ['/commit/{sha}', '/tree/{branch}', '/blob/{sha}/{path}', '/tree/{sha}/{path}', '#L{line}'],
  ],
  [
    'git@gitlab.example.com:team/sub/deploy.git',
    ['/-/commit/{sha}', '/-/tree/{branch}', '/-/blob/{sha}/{path}', '/-/tree/{sha}/{path}', '#L{line}'],
  ],
  [
    'http://forgejo.example.com:3000/team/deploy',
    [
      '/commit/{sha}',
      '/src/branch/{branch}',
      '/src/commit/{sha}/{path}',
      '/src/commit/{sha}/{path}',
      '#L{line}',
    ],
  ],
  [
    'https://bitbucket.org/team/deploy',
    ['/commits/{sha}', '/branch/{branch}', '/src/{sha}/{path}', '/src/{sha}/{path}', '#lines-{line}'],
  ],
] as const) {
  test(`the pages of ${repoUrl}`, () => {
    const at = repoUrl.replace(/^git@([^:]+):/, 'https://$1/').replace(/\.git$/, '')
    const { commit, branch, file, directory, line } = repositoryPages(repoUrl) ?? {}
    const [first, second, third, fourth, fifth] = expected
    assert.deepEqual(
      [commit, branch, file, directory, line],
      [at + first, at + second, at + third, at + fourth, fifth],
    )
  })
}

test('Bitbucket Server and Azure DevOps name the revision in the query', () => {
  const server = repositoryPages('https://bitbucket.example.com/scm/team/deploy.git')
  assert.deepEqual(server, {
    commit: 'https://bitbucket.example.com/projects/team/repos/deploy/commits/{sha}',
    branch: 'https://bitbucket.example.com/projects/team/repos/deploy/browse?at=refs/heads/{branch}',
    file: 'https://bitbucket.example.com/projects/team/repos/deploy/browse/{path}?at={sha}',
    directory: 'https://bitbucket.example.com/projects/team/repos/deploy/browse/{path}?at={sha}',
    line: '#{line}',
  })
  const azure = repositoryPages('https://org@dev.azure.com/org/web/_git/deploy')
  assert.deepEqual(azure, {
    commit: 'https://dev.azure.com/org/web/_git/deploy/commit/{sha}',
    branch: 'https://dev.azure.com/org/web/_git/deploy?version=GB{branch}',
    file: 'https://dev.azure.com/org/web/_git/deploy?path=/{path}&version=GC{sha}',
    directory: 'https://dev.azure.com/org/web/_git/deploy?path=/{path}&version=GC{sha}',
    line: '&line={line}',
  })
})

test('Azure DevOps Server has the pages of a repository at its address', () => {
  const forge = forgeNamed('azure-devops')
  const own = repositoryPages('https://tfs.example.com/tfs/default/web/_git/deploy', { forge })
  assert.equal(own?.commit, 'https://tfs.example.com/tfs/default/web/_git/deploy/commit/{sha}')
  const old = repositoryPages('https://org.visualstudio.com/web/_git/deploy')
  assert.equal(old?.commit, 'https://dev.azure.com/org/web/_git/deploy/commit/{sha}')
})

test('a host that no forge is named after has no pages, nor has one on which people publish', () => {
  for (const repoUrl of [
    'https://git.example.com/team/deploy.git',
    'https://team.github.io/charts',
    'https://raw.githubusercontent.com/team/charts/main',
    'https://team.gitlab.io/charts',
    'file:///srv/github/deploy.git',
    'oci://ghcr.io/team/charts',
    'not an address',
    '',
  ])
    assert.equal(repositoryPages(repoUrl), undefined, repoUrl)
  assert.equal(
    repositoryPages('https://git.example.com/team/deploy.git', { forge: forgeNamed('gitlab') })?.commit,
    'https://git.example.com/team/deploy/-/commit/{sha}',
  )
})
