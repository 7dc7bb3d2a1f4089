import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyRepository, firstProject, newRepositoryErrors, repositoryRequests } from './new-repository.ts'

const filled = { ...emptyRepository, repoUrl: ' https://git.example.com/deploy.git ', password: 'secret' }
const all = { read: [''], write: ['', 'web'] }

test('a new repository needs a URL, a use and what its kind of credentials consists of', () => {
  assert.deepEqual(newRepositoryErrors(filled, all), {})
  assert.deepEqual(Object.keys(newRepositoryErrors({ ...emptyRepository, read: false, write: false }, all)), [
    'repoUrl',
    'write',
    'password',
  ])
  assert.deepEqual(Object.keys(newRepositoryErrors({ ...filled, credentials: 'ssh' }, all)), [
    'sshPrivateKey',
  ])
  assert.deepEqual(newRepositoryErrors({ ...filled, password: '', credentials: 'none' }, all), {})
})

test('who may store credentials for some projects alone has to name one', () => {
  const allowed = { read: ['', 'web'], write: ['web'] }
  assert.deepEqual(Object.keys(newRepositoryErrors(filled, allowed)), ['project'])
  assert.deepEqual(newRepositoryErrors({ ...filled, project: 'web' }, allowed), {})
  assert.deepEqual(newRepositoryErrors({ ...filled, write: false }, allowed), {})
  assert.equal(firstProject(allowed), '')
  assert.equal(firstProject({ read: [], write: ['web'] }), 'web')
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
