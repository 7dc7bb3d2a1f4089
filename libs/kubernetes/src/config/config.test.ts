import assert from 'node:assert/strict'
import { mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { fileToken } from './file-token.ts'
import { inClusterConfig } from './in-cluster-config.ts'
import { kubeconfig } from './kubeconfig.ts'

/** A directory with these files. */
async function directoryOf(files: Record<string, string>) {
  const directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-kubeconfig-'))
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(directory.path, name), content)
  return directory
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig with one cluster, one user and one context. */
function fileOf(user: object, cluster: object = {}): string {
  return JSON.stringify({
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'c', user: 'u', namespace: 'argocd' } },
      { name: 'lost', context: { cluster: 'gone', user: 'u' } },
    ],
    clusters: [
      {
        name: 'c',
        cluster: { server: 'https://api:6443', 'certificate-authority-data': base64('CA'), ...cluster },
      },
    ],
    users: [{ name: 'u', user }],
  })
}

test('a pod finds the API server, its CA, its namespace and its token', async () => {
  await using directory = await directoryOf({ token: 'first\n', 'ca.crt': 'CA', namespace: 'argocd\n' })
  const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
  const config = await inClusterConfig(environment, directory.path)
  assert.deepEqual([config.server, config.namespace], ['https://[fd00::1]:6443', 'argocd'])
  assert.equal(await config.bearerToken(), 'first')
  assert.deepEqual(await config.tls(), { ca: 'CA' })
  await writeFile(path.join(directory.path, 'ca.crt'), 'renewed CA')
  assert.deepEqual(await config.tls(), { ca: 'renewed CA' })
  const { server } = await inClusterConfig({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, directory.path)
  assert.equal(server, 'https://10.0.0.1:443')
})

test('outside of a pod, or without a mounted token, it is said what to do', async () => {
  await using directory = await directoryOf({ namespace: 'argocd', 'ca.crt': 'CA' })
  await assert.rejects(inClusterConfig({}, directory.path), {
    name: 'FailedPreconditionError',
    message: 'KUBERNETES_SERVICE_HOST is not set, so this is not a pod; name a kubeconfig instead',
  })
  await assert.rejects(inClusterConfig({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, directory.path), {
    name: 'FailedPreconditionError',
    message: /token cannot be read; set automountServiceAccountToken: true/,
  })
})

test('a token is read again each minute, and kept while its file is away', async () => {
  await using directory = await directoryOf({ token: 'first\n' })
  const file = path.join(directory.path, 'token')
  let now = 0
  const token = fileToken(file, () => now)
  assert.equal(await token(), 'first')
  await writeFile(file, 'second\n')
  now = 59_999
  assert.equal(await token(), 'first')
  now = 60_000
  assert.equal(await token(), 'second')
  await rm(file)
  now = 200_000
  assert.equal(await token(), 'second')
  await assert.rejects(fileToken(file)(), UnavailableError)
})

test('the current context of a kubeconfig, with a token or a client certificate', async () => {
  await using directory = await directoryOf({
    config: fileOf({ token: 'secret' }),
    files: fileOf(
      { tokenFile: 'token', 'client-certificate': 'tls.crt', 'client-key-data': base64('KEY') },
      {
        'certificate-authority-data': null,
        'certificate-authority': 'ca.crt',
        'tls-server-name': 'kubernetes',
      },
    ),
    token: 'from file\n',
    'tls.crt': 'CERT',
    'ca.crt': 'CA of a file',
  })
  const config = await kubeconfig(path.join(directory.path, 'config'))
  assert.deepEqual([config.server, config.namespace], ['https://api:6443', 'argocd'])
  assert.deepEqual([await config.bearerToken(), await config.tls()], ['secret', { ca: 'CA' }])
  const byFiles = await kubeconfig(path.join(directory.path, 'files'), 'here')
  assert.equal(await byFiles.bearerToken(), 'from file')
  assert.deepEqual(await byFiles.tls(), {
    ca: 'CA of a file',
    cert: 'CERT',
    key: 'KEY',
    servername: 'kubernetes',
  })
})

for (const [title, content, message] of [
  [
    'an exec plugin',
    fileOf({ exec: { command: 'aws' } }),
    'user "u" has exec, which is unsupported; use a token (kubectl create token) or a client certificate',
  ],
  [
    'an OpenID provider',
    fileOf({ 'auth-provider': { name: 'oidc' } }),
    'user "u" has auth-provider, which is unsupported; use a token (kubectl create token) or a client certificate',
  ],
  [
    'a server whose certificate is not verified',
    fileOf({ token: 't' }, { 'insecure-skip-tls-verify': true }),
    'cluster.insecure-skip-tls-verify is unsupported; give the address of the API server and its certificate-authority',
  ],
  ['a token that is not a string', fileOf({ token: 1 }), 'user.token must be a string, not a number'],
  ['a server that is not a URL', fileOf({}, { server: 'api 6443' }), 'cluster.server must be a URL'],
  ['no context', '{}', 'current-context is required'],
  ['something else', '[]', 'FILE is not a kubeconfig: it must be an object'],
] as const) {
  test(`a kubeconfig with ${title} is rejected`, async () => {
    await using directory = await directoryOf({ config: content })
    const file = path.join(directory.path, 'config')
    await assert.rejects(kubeconfig(file), (error) => {
      assert.ok(error instanceof Error)
      const reason = error.message.replaceAll(file, 'FILE').replace(/^FILE: /, '')
      assert.equal(reason.split('; contexts has')[0], message)
      assert.equal(error.name, 'InvalidInputError')
      return true
    })
  })
}

test('what a context refers to must be in the file', async () => {
  await using directory = await directoryOf({ config: fileOf({ token: 't' }) })
  const file = path.join(directory.path, 'config')
  await assert.rejects(kubeconfig(file, 'none'), { message: `${file}: contexts has no context named "none"` })
  await assert.rejects(kubeconfig(file, 'lost'), /clusters has no cluster named "gone"/)
  await assert.rejects(kubeconfig(path.join(directory.path, 'absent')), /absent cannot be read$/)
})
