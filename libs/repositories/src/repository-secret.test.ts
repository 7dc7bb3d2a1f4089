import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretObject } from './repository-fixture.ts'
import {
  isWriteType,
  readRepositorySecret,
  repositorySecretName,
  repositorySecretWarnings,
  secretTypeLabel,
} from './repository-secret.ts'

const url = 'https://git.example.com/org/deploy.git'
const password = 'hunter2-hunter2'

test('a Secret is read from data and stringData, where texts win', () => {
  const data = { url: encode(url), password: encode('old'), project: encode('shop') }
  const object = { ...secretObject('platform', { password }), data }
  assert.deepEqual(readRepositorySecret(object), {
    name: 'platform',
    type: 'repository',
    url,
    project: 'shop',
    values: { url, password, project: 'shop' },
  })
})

test('the four types of Argo CD are known, two of them for writing', () => {
  const types = ['repository', 'repo-creds', 'repository-write', 'repo-write-creds']
  assert.deepEqual(
    types.map((type) => readRepositorySecret(secretObject('x', { url }, type)).type),
    types,
  )
  assert.deepEqual(types.map(isWriteType), [false, false, true, true])
  for (const type of ['cluster', '', 'Repository']) {
    assert.throws(() => readRepositorySecret(secretObject('x', { url }, type)), {
      name: 'InvalidInputError',
      message:
        `Secret x: label ${secretTypeLabel} is "${type}"; ` +
        'repository, repo-creds, repository-write or repo-write-creds is expected',
    })
  }
  const { labels: _labels, ...metadata } = secretObject('x', { url }).metadata
  assert.throws(() => readRepositorySecret({ ...secretObject('x', { url }), metadata }), /is undefined; /)
})

test('unknown fields are warnings with those that were meant and without values', () => {
  const object = secretObject('x', { url, passwort: password, sshPrivatekey: password })
  assert.deepEqual(repositorySecretWarnings(readRepositorySecret(object)), [
    'unknown field passwort; did you mean password?',
    'unknown field sshPrivatekey; did you mean sshPrivateKey?',
  ])
})

test('fields of Argo CD 3.6 that have no effect are taken and named, where they are set', () => {
  const values = {
    url,
    insecureOCIForceHttp: 'true',
    depth: '1',
    webhookManifestCacheWarmDisabled: 'false',
    useAzureWorkloadIdentity: 'true',
    gcpServiceAccountKey: password,
  }
  assert.deepEqual(repositorySecretWarnings(readRepositorySecret(secretObject('x', values))), [
    'depth has no effect: Wadi decides itself how much history it needs',
    'insecureOCIForceHttp has no effect: the setting WADI_PLAIN_HTTP decides where plain http is used',
    'useAzureWorkloadIdentity is not supported, so Wadi signs in without it; give a username with a password or a token',
    'gcpServiceAccountKey is not supported, so Wadi signs in without it; give a username with a password or a token',
  ])
})

test('a Secret needs a URL', () => {
  for (const values of [{ password }, { password, url: '' }]) {
    assert.throws(() => readRepositorySecret(secretObject('x', values)), {
      name: 'InvalidInputError',
      message: 'Secret x: url is required',
    })
  }
})

test('a URL with a password is refused without repeating it: URLs are shown to everybody', () => {
  for (const wrong of [
    `https://user:${password}@git.example.com/a`,
    `https://:${password}@git.example.com/a`,
    `https://ghp_${password}@git.example.com/a`,
    `oci://ATBB${password}@git.example.com/a`,
    `https://git.example.com/a?access_token=${password}`,
  ]) {
    assert.throws(() => readRepositorySecret(secretObject('x', { url: wrong })), {
      name: 'InvalidInputError',
      message: 'Secret x: url must not contain a password or a token; give it as password',
    })
  }
  for (const right of [
    'https://user@git.example.com/a:b@c',
    'ssh://git@git.example.com:22/a',
    'git@host:a/b',
  ])
    assert.equal(readRepositorySecret(secretObject('x', { url: right })).url, right)
})

test('spellings of one repository get one name; types, projects and repositories differ', () => {
  const name = repositorySecretName('repository', url, '')
  assert.equal(repositorySecretName('repository', 'https://GIT.example.com/org/deploy', ''), name)
  const others = [
    repositorySecretName('repository-write', url, ''),
    repositorySecretName('repository', url, 'shop'),
    repositorySecretName('repository', `${url}x`, ''),
  ]
  assert.equal(new Set([name, ...others]).size, 4)
  assert.match(name, /^repository-[0-9a-f]{16}$/)
})

test('a URL that is made to be slow to read takes no time', () => {
  const startedAt = performance.now()
  const slow = `https://${':'.repeat(100_000)}`
  assert.throws(() => readRepositorySecret(secretObject('x', { url: slow })), { name: 'InvalidInputError' })
  assert.ok(performance.now() - startedAt < 500)
})

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}
