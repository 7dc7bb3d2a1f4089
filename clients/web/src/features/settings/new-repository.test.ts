import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyRepository, newRepositoryErrors, repositoryRequests } from './new-repository.ts'

const filled = { ...emptyRepository, repoUrl: ' https://git.example.com/deploy.git ', password: 'secret' }

test('a new repository needs a URL, a use and what its kind of credentials consists of', () => {
  assert.deepEqual(newRepositoryErrors(filled), {})
  assert.deepEqual(Object.keys(newRepositoryErrors({ ...emptyRepository, read: false, write: false })), [
    'repoUrl',
    'write',
    'password',
  ])
  assert.deepEqual(Object.keys(newRepositoryErrors({ ...filled, credentials: 'ssh' })), ['sshPrivateKey'])
  assert.deepEqual(newRepositoryErrors({ ...filled, password: '', credentials: 'none' }), {})
})

test('each use is a request, which has no credentials of another kind', () => {
  const repoUrl = 'https://git.example.com/deploy.git'
  const shared = { repoUrl, project: '', username: '', password: 'secret' }
  assert.deepEqual(repositoryRequests(filled), [
    { ...shared, write: false },
    { ...shared, write: true },
  ])
  assert.deepEqual(repositoryRequests({ ...filled, read: false, credentials: 'ssh', sshPrivateKey: 'key' }), [
    { repoUrl, project: '', sshPrivateKey: 'key\n', sshKnownHosts: '', write: true },
  ])
})
