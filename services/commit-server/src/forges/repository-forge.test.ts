import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { repositoryForge } from './repository-forge.ts'

function forgeOf(repoUrl: string, values: Record<string, string> = {}): string[] {
  const { forge, api, repository } = repositoryForge(repoUrl, { name: 'write', values })
  return [forge.name, api, repository]
}

test('the host of a repository tells its forge, by https and by ssh', () => {
  assert.deepEqual(forgeOf('https://github.com/acme/shop.git'), ['github', '', 'acme/shop'])
  assert.deepEqual(forgeOf('git@github.com:acme/shop.git'), ['github', '', 'acme/shop'])
  assert.deepEqual(forgeOf('ssh://git@gitlab.com/acme/team/shop'), ['gitlab', '', 'acme/team/shop'])
  assert.deepEqual(forgeOf('https://acme.ghe.com/a/b'), ['github', 'https://api.acme.ghe.com', 'a/b'])
  assert.deepEqual(forgeOf('https://codeberg.org/a/b/'), ['gitea', 'https://codeberg.org', 'a/b'])
  assert.deepEqual(forgeOf('git@forgejo.example.com:a/b'), ['gitea', 'https://forgejo.example.com', 'a/b'])
  assert.deepEqual(forgeOf('http://gitea.local:3000/a/b'), ['gitea', 'http://gitea.local:3000', 'a/b'])
  assert.deepEqual(forgeOf('https://bitbucket.example.com/scm/PRJ/shop.git'), [
    'bitbucket-server',
    'https://bitbucket.example.com',
    'PRJ/shop',
  ])
})

test('a repository of Azure DevOps is one of a project, in every spelling', () => {
  for (const [url, repository] of [
    ['https://contoso@dev.azure.com/contoso/Web%20Shop/_git/deploy', 'contoso/Web Shop/deploy'],
    ['https://dev.azure.com/contoso/Web Shop/_git/deploy', 'contoso/Web Shop/deploy'],
    ['https://dev.azure.com/contoso/_git/deploy', 'contoso/deploy/deploy'],
    ['git@ssh.dev.azure.com:v3/contoso/Web%20Shop/deploy', 'contoso/Web Shop/deploy'],
    ['ssh://git@ssh.dev.azure.com:22/v3/contoso/web/deploy', 'contoso/web/deploy'],
    ['https://contoso.visualstudio.com/DefaultCollection/web/_git/deploy', 'contoso/web/deploy'],
    ['contoso@vs-ssh.visualstudio.com:v3/contoso/web/deploy', 'contoso/web/deploy'],
  ] as const) {
    assert.deepEqual(forgeOf(url), ['azure-devops', '', repository], url)
  }
  const server = { forge: 'azure-devops', forgeUrl: 'https://tfs.example.com/tfs' }
  const url = 'https://tfs.example.com/tfs/Default/web/_git/deploy'
  assert.deepEqual(forgeOf(url, server), ['azure-devops', server.forgeUrl, 'Default/web/deploy'])
  const collection = { ...server, forgeUrl: 'https://tfs.example.com/tfs/Default' }
  assert.deepEqual(forgeOf(url, collection).slice(1), [collection.forgeUrl, 'web/deploy'])
  const ssh = 'ssh://tfs.example.com:22/tfs/Default/web/_ssh/deploy'
  assert.deepEqual(forgeOf(ssh, server).slice(1), [server.forgeUrl, 'Default/web/deploy'])
  const plain = 'https://git.example.com/web/deploy.git'
  assert.deepEqual(forgeOf(plain, collection).slice(1), [collection.forgeUrl, 'web/deploy'])
  const short = 'https://tfs.example.com/tfs/Default/_git/deploy'
  assert.deepEqual(forgeOf(short, collection).slice(1), [collection.forgeUrl, 'deploy/deploy'])
})

test('the Secret names a forge that the host does not tell, and where its API is', () => {
  const gitlab = { forge: 'gitlab', forgeUrl: 'https://example.com/gitlab/' }
  assert.deepEqual(forgeOf('https://example.com/gitlab/acme/shop.git', gitlab), [
    'gitlab',
    'https://example.com/gitlab/',
    'acme/shop',
  ])
  const app = { githubAppPrivateKey: 'key', githubAppEnterpriseBaseUrl: 'https://ghe.example.com/api/v3' }
  assert.deepEqual(forgeOf('https://ghe.example.com/acme/shop', app), [
    'github',
    'https://ghe.example.com/api/v3',
    'acme/shop',
  ])
})

test('a repository without a forge has an error that says what to do, and a code', () => {
  for (const [url, values, message] of [
    ['https://git.example.com/a/b', {}, /set forge in Secret write to one of github, gitlab/],
    ['https://git.example.com/a/b', { forge: 'azure' }, /forge "azure" is not one of/],
    ['/srv/git/a.git', { forge: 'github' }, /is not a repository of a forge/],
  ] as const) {
    assert.throws(
      () => forgeOf(url, values),
      (error) =>
        error instanceof FailedPreconditionError && error.code === 'no-forge' && message.test(error.message),
    )
  }
})
