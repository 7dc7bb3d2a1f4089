import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { normalizeRepositoryUrl, repositoryIdentity } from './repository-identity.ts'

for (const [url, normalized] of [
  [' https://GitHub.com/Org/Repo.git ', 'https://github.com/org/repo'],
  ['git@github.com:Org/Repo.git', 'git@github.com/org/repo'],
  ['ssh://git@github.com/org/repo.git', 'git@github.com/org/repo'],
  ['https://github.com/org/repo.git.git', 'https://github.com/org/repo.git'],
  ['https://host/%zz', 'https://host/%zz'],
] as const) {
  test(`${url} is grouped as ${normalized}`, () => {
    assert.equal(normalizeRepositoryUrl(url), normalized)
  })
}

/** Spellings of one repository each, and the identity that they share. */
const repositories: Record<string, readonly string[]> = {
  'github.com/acme/deploy': [
    'https://github.com/acme/deploy',
    'https://github.com/acme/deploy.git/',
    ' HTTPS://GitHub.com/Acme//Deploy.git ',
    'http://github.com:80/acme/deploy',
    'https://bot@github.com:443/acme/deploy.git',
    'https://bot:p@ss/word@github.com/acme/deploy.git',
    'https://github.com./acme/deploy?x#y',
    'git@github.com:acme/deploy.git',
    'git@github.com:/acme/deploy.git',
    'github.com:acme/deploy',
    'git@github.com/acme/deploy',
    'ssh://github.com/acme/deploy',
    'ssh://git@github.com:22/acme/deploy.git',
    'ssh://git@ssh.github.com:443/acme/deploy.git',
    'git+ssh://git@github.com/acme/deploy',
  ],
  'gitlab.com/group/sub/dry': [
    'https://gitlab.com/group/sub/dry.git',
    'https://oauth2@gitlab.com/group/sub/dry',
    'git@gitlab.com:group/sub/dry.git',
    'ssh://git@altssh.gitlab.com:443/group/sub/dry.git',
  ],
  'bitbucket.org/team/dry': [
    'https://me@bitbucket.org/team/dry.git',
    'git@bitbucket.org:Team/dry.git',
    'ssh://git@altssh.bitbucket.org:443/team/dry.git',
  ],
  'bb.example.com/team/dry': [
    'https://bb.example.com/scm/TEAM/dry.git',
    'https://me@bb.example.com:8443/scm/team/dry.git',
    'ssh://git@bb.example.com:7999/team/dry.git',
  ],
  'bb.example.com/~me/dry': [
    'https://bb.example.com/scm/~me/dry.git',
    'ssh://git@bb.example.com:7999/~ME/dry.git',
  ],
  'dev.azure.com/org/proj/repo': [
    'https://dev.azure.com/org/proj/_git/repo',
    'https://org@dev.azure.com/org/proj/_git/repo',
    'https://dev.azure.com/org/DefaultCollection/proj/_git/repo',
    'https://dev.azure.com/org/proj/_git/_full/repo',
    'git@ssh.dev.azure.com:v3/org/proj/repo',
    'ssh://git@ssh.dev.azure.com:22/v3/org/proj/repo',
    'https://org.visualstudio.com/proj/_git/repo',
    'https://me@org.visualstudio.com/DefaultCollection/proj/_git/repo',
    'org@vs-ssh.visualstudio.com:v3/org/proj/repo',
    'ssh://org@org.visualstudio.com:22/proj/_ssh/repo',
  ],
  'dev.azure.com/org/repo/repo': [
    'https://dev.azure.com/org/_git/repo',
    'https://dev.azure.com/org/repo/_git/repo',
    'https://org.visualstudio.com/_git/repo',
    'https://org.visualstudio.com/DefaultCollection/_git/repo',
    'git@ssh.dev.azure.com:v3/org/repo/repo',
  ],
  'dev.azure.com/org/my%20proj/repo': [
    'https://org@dev.azure.com/org/My%20Proj/_git/repo',
    'https://org@dev.azure.com/org/My Proj/_git/repo',
    'git@ssh.dev.azure.com:v3/org/My%20Proj/repo',
  ],
  'git.example.com/a%2fb/c': ['https://git.example.com/a%2Fb/c', 'https://git.example.com/%61%2fb/c'],
  '[2001:db8::1]/org/repo': ['https://[2001:db8::1]:8443/org/repo', 'git@[2001:db8::1]:org/repo.git'],
  'file:///srv/dry': ['/srv/dry.git', 'file:///srv/dry'],
  'oci://ghcr.io/acme/charts': ['oci://ghcr.io/acme/charts', 'oci://ghcr.io:443/acme/charts/'],
}

for (const [identity, urls] of Object.entries(repositories)) {
  test(`${urls.length} spellings are the repository ${identity}`, () => {
    for (const url of urls) assert.equal(repositoryIdentity(url), identity, url)
  })
}

test('repositories that are not the same have identities that are not the same', () => {
  const others = [
    'https://github.com/acme/deploy2',
    'https://github.com/acme/sub/deploy',
    'https://git.example.com/a/b/c',
    'https://git.example.com/acme/deploy',
    'https://example.com/acme/deploy',
    'https://github.com/scm/acme/deploy',
    'https://git.example.com/scm/acme',
    'https://other.visualstudio.com/proj/_git/repo',
    'https://ssh.com/acme/deploy',
    'https://github.com/acme/deploy.wiki.git',
    '/github.com/acme/deploy',
    'https://dev.azure.com/org',
    'https://host/%zz',
    'text',
    '',
  ]
  const all = [...Object.keys(repositories), ...others.map(repositoryIdentity)]
  assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted())
})

test('what is one repository as Argo CD spells it is one by its identity too', () => {
  const all = Object.values(repositories).flat()
  const byNormal = Map.groupBy(
    all.flatMap((url) => [url, `${url}/`, url.toUpperCase(), normalizeRepositoryUrl(url)]),
    normalizeRepositoryUrl,
  )
  for (const [normal, urls] of byNormal) {
    assert.equal(new Set(urls.map(repositoryIdentity)).size, 1, normal)
  }
})

test('text that is made to be slow to compare takes no time', () => {
  const milliseconds = threadMs(() => {
    assert.equal(normalizeRepositoryUrl(`${'/'.repeat(100_000)}x`).length, 100_001)
    for (const part of ['/', ':', '@', 'ssh.', 'a@b:', '_git/', '%25', '[', '.git']) {
      repositoryIdentity(part.repeat(50_000))
      repositoryIdentity(`https://${part.repeat(50_000)}`)
    }
  })
  assert.ok(milliseconds < 5_000)
})
