import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RepositorySchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import {
  emptyRepository,
  firstProject,
  newRepositoryErrors,
  repositoryRequests,
  storedRepository,
} from './new-repository.ts'

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

test('other credentials replace the version that was seen, and keep what is stored beside them', () => {
  const repoUrl = 'https://git.example.com/'
  const stored = create(RepositorySchema, { repoUrl, project: 'web', credentials: 'ssh-key', isPrefix: true })
  const form = storedRepository(stored, true)
  assert.deepEqual([form.read, form.write, form.credentials, form.password], [false, true, 'ssh', ''])
  assert.deepEqual(repositoryRequests({ ...form, sshPrivateKey: 'key' }, '7'), [
    {
      repoUrl,
      project: 'web',
      sshPrivateKey: 'key\n',
      sshKnownHosts: '',
      isPrefix: true,
      upsert: true,
      keepOthers: true,
      version: '7',
      write: true,
    },
  ])
})
