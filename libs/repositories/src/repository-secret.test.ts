import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
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
    enableLfs: 'True',
    depth: '1',
    webhookManifestCacheWarmDisabled: 'false',
    useAzureWorkloadIdentity: 'true',
    gcpServiceAccountKey: password,
  }
  assert.deepEqual(repositorySecretWarnings(readRepositorySecret(secretObject('x', values))), [
    'depth has no effect: Wadi decides itself how much history it needs',
    'enableLfs has no effect: files of Git LFS are not fetched, and renderers see their pointers',
    'useAzureWorkloadIdentity is not supported, so Wadi signs in without it; give a username with a password or a token',
    'gcpServiceAccountKey is not supported, so Wadi signs in without it; give a username with a password or a token',
  ])
})

test('yes and no are read as Go reads them, and another value is an error with its field', () => {
  const secret = { url, insecure: 'T', enableOCI: 'False', insecureOCIForceHttp: '1', passCredentials: '' }
  const { values } = readRepositorySecret(secretObject('x', secret))
  assert.deepEqual(values, { ...secret, insecure: 'true', enableOCI: 'false', insecureOCIForceHttp: 'true' })
  for (const [field, value, reason] of [
    ['insecure', 'yes', 'true or false'],
    ['useAzureWorkloadIdentity', 'tRUE', 'true or false'],
    ['depth', 'one', 'a number'],
    ['githubAppID', '1.5', 'a number'],
  ] as const) {
    assert.throws(() => readRepositorySecret(secretObject('x', { url, [field]: value })), {
      name: 'InvalidInputError',
      message: `Secret x: ${field} must be ${reason}`,
    })
  }
})

test('a proxy of ssh and a repository of plain OCI artifacts are named as without effect', () => {
  const warningsOf = (values: Record<string, string>) =>
    repositorySecretWarnings(readRepositorySecret(secretObject('x', values)))
  for (const remote of ['git@git.example.com:a.git', 'ssh://git@git.example.com/a.git']) {
    assert.deepEqual(warningsOf({ url: remote, proxy: 'http://proxy' }), [
      'proxy has no effect: ssh connects directly',
    ])
  }
  assert.deepEqual(warningsOf({ url, proxy: 'http://proxy' }), [])
  assert.match(
    warningsOf({ url: 'oci://registry.example.com/a', type: 'oci' }).join(),
    /type oci applies to artifacts that the generator oci reads; an artifact as the source/,
  )
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
  const slow = secretObject('x', { url: `https://${':'.repeat(100_000)}` })
  const read = () => assert.throws(() => readRepositorySecret(slow), { name: 'InvalidInputError' })
  assert.ok(threadMs(read) < 500)
})

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}
