import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { openServiceBase } from '@wadi/rpc/service-base.ts'
import { defineSettings, readSettings } from '@wadi/rpc/service-settings.ts'
import { startClusterFixture } from '@wadi/state/cluster-fixture.ts'
import { makeReadOnly, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { until } from '@wadi/testing/until.ts'
import { secretObject } from './repository-fixture.ts'
import { repositorySettings } from './repository-service-settings.ts'
import { openServiceRepositories } from './service-repositories.ts'

const everySetting = defineSettings({ ...commonSettings, ...repositorySettings })

test('a service has its repositories in a directory of its own that only it may read, by its own settings', async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'wadi-service-repositories-'))
  t.after(() => rm(dataDirectory, { recursive: true, force: true }))
  const env = {
    WADI_PLAIN_HTTP: 'never',
    WADI_DATA_DIR: dataDirectory,
    WADI_SERVICE_KEY_FILE: join(dataDirectory, 'service.key'),
    WADI_INSTANCE: 'one',
  }
  const settings = readSettings(everySetting, { env, argv: [] })
  const base = await openServiceBase('repo-server', settings)
  const { repositories, mirrors, directories, ...opened } = await openServiceRepositories(base, settings, {
    purpose: 'read',
  })
  assert.equal(directories.own, join(dataDirectory, 'repo-server/one'))
  assert.equal((await stat(directories.own)).mode & 0o777, 0o700)
  assert.deepEqual(await repositories.list(), [])
  await assert.rejects(mirrors.lease('http://localhost/x.git', 'default'), /http/)
  await opened[Symbol.asyncDispose]()
  await assert.rejects(repositories.list(), /finalized/)
})

test(
  'a directory on a volume that is read-only now ends the start with what to do',
  { skip: noSmallDisk },
  async (t) => {
    await using owned = new AsyncDisposableStack()
    const dataDirectory = await mkdtemp(join(tmpdir(), 'wadi-service-repositories-'))
    t.after(() => rm(dataDirectory, { recursive: true, force: true }))
    const volume = join(dataDirectory, 'repo-server')
    await mountSmallDisk(owned, volume)
    const env = { WADI_DATA_DIR: dataDirectory, WADI_SERVICE_KEY_FILE: join(dataDirectory, 'service.key') }
    const settings = readSettings(everySetting, { env: { ...env, WADI_INSTANCE: 'one' }, argv: [] })
    const base = await openServiceBase('repo-server', settings)
    await (await openServiceRepositories(base, settings, { purpose: 'read' }))[Symbol.asyncDispose]()
    await using _ = await makeReadOnly(volume)
    await assert.rejects(openServiceRepositories(base, settings, { purpose: 'read' }), {
      name: 'FailedPreconditionError',
      message:
        /^the data directory .*repo-server\/one cannot be used by user 0: its file system is read-only \(EROFS\); mount a volume there /,
    })
  },
)

/** Opens the repositories of a service whose Secrets are in a stand-in for a cluster. */
async function openClusterRepositories(purpose: 'read' | 'write', namespace?: string) {
  await using owned = new AsyncDisposableStack()
  const { api, env } = owned.use(await startClusterFixture())
  const put = (name: string, type: string, values: Record<string, string>, within = 'argocd') => {
    const { metadata, ...secret } = secretObject(name, values, type)
    return api.put({ ...secret, metadata: { ...metadata, namespace: within } })
  }
  const open = async () => {
    const settings = readSettings(everySetting, { env, argv: [] })
    const base = await openServiceBase('test', settings)
    return openServiceRepositories(base, settings, { purpose, ...(namespace && { namespace }) })
  }
  const moved = owned.move()
  return { api, put, open, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

const url = 'https://git.example.com/deploy.git'

test('in a cluster a service uses the Secrets of its purpose and namespace, as they are now', async () => {
  await using cluster = await openClusterRepositories('write', 'wadi-write')
  cluster.put('read', 'repository', { url }, 'wadi-write')
  cluster.put('elsewhere', 'repository-write', { url, username: 'x' })
  cluster.put('write', 'repository-write', { url, username: 'bot', password: 'first' }, 'wadi-write')
  await using opened = await cluster.open()
  const { repositories, warning } = opened
  const password = async () => {
    const credentials = await repositories.credentialsFor(url, '')
    return credentials && 'password' in credentials ? credentials.password : undefined
  }
  assert.equal(await password(), 'first')
  cluster.put('write', 'repository-write', { url, username: 'bot', password: 'second' }, 'wadi-write')
  await until(async () => (await password()) === 'second')
  assert.deepEqual(
    (await repositories.list()).map(({ name }) => name),
    ['write'],
  )
  assert.equal(warning(), undefined)
})

test('in a cluster a service follows which servers are trusted in the namespace of Argo CD, and stores nothing of it', async () => {
  await using cluster = await openClusterRepositories('write', 'wadi-write')
  const map = (name: string, data: Record<string, string>, namespace = 'argocd') => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data,
  })
  cluster.api.put(map('argocd-ssh-known-hosts-cm', { ssh_known_hosts: 'git.example.com ssh-ed25519 AAAA' }))
  cluster.api.put(map('argocd-tls-certs-cm', { 'git.example.com': 'elsewhere' }, 'wadi-write'))
  await using opened = await cluster.open()
  const { repositories } = opened
  const sshKnownHosts = 'git.example.com ssh-ed25519 AAAA\n'
  assert.deepEqual(await repositories.trustFor('git.example.com'), { sshKnownHosts })
  const before = await repositories.identityFor(url, '')
  const certificates = map('argocd-tls-certs-cm', { 'git.example.com': 'PEM', other: 'PEM' })
  cluster.api.put(certificates)
  await until(async () => 'tlsCaCertificate' in (await repositories.trustFor('GIT.example.com')))
  assert.notEqual(await repositories.identityFor(url, ''), before)
  assert.deepEqual(await repositories.trustFor('example.com'), { sshKnownHosts })
  await repositories.putTrust(map('argocd-tls-certs-cm', {}))
  assert.equal((await repositories.trustFor('git.example.com')).tlsCaCertificate, 'PEM')
  for (const same of [
    'git@git.example.com:a.git',
    'ssh://git@git.example.com:22/a.git',
    'git.example.com:443/charts',
    'oci://git.example.com/charts',
  ]) {
    assert.equal(await repositories.identityFor(same, ''), await repositories.identityFor(url, ''), same)
  }
})

test('a Secret in a cluster that cannot be read is not used, named without its values, and spoils no other', async () => {
  await using cluster = await openClusterRepositories('read')
  cluster.put('good', 'repository', { url })
  cluster.put('odd', 'repository', { password: 'hunter2', passwrd: 'hunter2' })
  await using opened = await cluster.open()
  const { repositories, warning } = opened
  assert.deepEqual(
    (await repositories.list()).map(({ name }) => name),
    ['good'],
  )
  assert.match(warning() ?? '', /^Secret odd: url is required/)
  assert.doesNotMatch(warning() ?? '', /hunter2/)
  await opened.repositories.delete(url, '')
  await until(async () => (await repositories.list()).length === 0)
})

test('a Secret in a cluster whose sign-in is not supported is named without its values', async () => {
  await using cluster = await openClusterRepositories('read')
  cluster.put('azure', 'repository', { url, useAzureWorkloadIdentity: 'true', depth: '1' })
  cluster.put('google', 'repo-creds', { url, gcpServiceAccountKey: 'hunter2' })
  await using opened = await cluster.open()
  await opened.repositories.list()
  const warning = opened.warning() ?? ''
  assert.match(
    warning,
    /Secret azure: useAzureWorkloadIdentity is not supported, so Wadi signs in without it/,
  )
  assert.match(warning, /Secret google: gcpServiceAccountKey is not supported/)
  assert.doesNotMatch(warning, /hunter2|depth/)
})

test('a service that may not write Secrets says that they are managed in the cluster', async () => {
  await using cluster = await openClusterRepositories('read')
  cluster.put('a', 'repository', { url })
  await using opened = await cluster.open()
  const { repositories } = opened
  const other = secretObject('b', { url: 'https://git.example.com/b.git' })
  const stored = await repositories.put(other)
  assert.equal(stored.url, 'https://git.example.com/b.git')
  await until(async () => (await repositories.list()).length === 2)
  cluster.api.admission.forbid('secrets')
  for (const attempt of [repositories.put(other), repositories.delete(url, '')]) {
    await assert.rejects(attempt, {
      name: 'FailedPreconditionError',
      message: /^the Secrets of repositories are managed in the cluster: apply this one in namespace argocd/,
    })
  }
})
