import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'
import { type ForgeAccess, openForge, requireAllowedForge } from './forge-access.ts'
import { someRepositories } from '@wadi/forges/forge-data-fixture.ts'
import type { ForgeOptions } from './forge-options.ts'
import { startGitea } from '@wadi/forges/gitea/gitea-fixture.ts'
import { gitea as giteaForge } from '@wadi/forges/gitea/gitea-forge.ts'
import { github } from '@wadi/forges/github/github-forge.ts'
import { startGitlab } from '@wadi/forges/gitlab/gitlab-fixture.ts'
import { gitlab as gitlabForge } from '@wadi/forges/gitlab/gitlab-forge.ts'
import { addForgeSecret, tokenRef } from './scm-secret-fixture.ts'

await using starting = new AsyncDisposableStack()
const gitea = starting.use(await startGitea('acme', someRepositories(), { wantsToken: true }))
const fixture = starting.use(
  await startGeneratorFixture({}, { isEnabled: true, allowedApis: [gitea.address] }),
)
const running = starting.move()
after(() => running.disposeAsync())

const { signal } = new AbortController()
const plain: ForgeOptions = {
  forge: github,
  api: '',
  token: undefined,
  insecure: false,
  authorities: undefined,
  owner: 'acme',
}
const withToken = { ...plain, token: { name: 'forge', key: 'token' } }

function allowed(settings: Partial<ForgeAccess>, options: ForgeOptions): void {
  requireAllowedForge({ isEnabled: true, allowedApis: [], ...settings }, options)
}

test('forges are asked only where an operator enables it', () => {
  assert.throws(
    () => allowed({ isEnabled: false }, plain),
    /^FailedPreconditionError: scm providers are disabled; .*WADI_SCM_PROVIDERS=true/,
  )
  assert.doesNotThrow(() => allowed({}, plain))
})

test('a token goes to listed APIs alone, also to those that are the default', () => {
  assert.throws(
    () => allowed({}, withToken),
    /scm provider "https:\/\/api\.github\.com" not allowed, must use one of the following: \(none: .*WADI_SCM_ALLOWED_APIS/,
  )
  const allowedApis = ['https://gitlab.com/', 'https://api.github.com/']
  assert.doesNotThrow(() => allowed({ allowedApis }, withToken))
  assert.doesNotThrow(() => allowed({ allowedApis }, { ...withToken, forge: gitlabForge }))
  assert.throws(
    () => allowed({ allowedApis }, { ...withToken, api: 'https://api.github.com.evil.example' }),
    (error) =>
      error instanceof FailedPreconditionError &&
      error.message ===
        'scm provider "https://api.github.com.evil.example" not allowed, must use one of the following: ' +
          'https://gitlab.com/, https://api.github.com/',
  )
})

test('without a token an api must be listed when there is a list', () => {
  const other = { ...plain, api: 'https://ghe.example.com' }
  assert.doesNotThrow(() => allowed({}, other))
  assert.throws(
    () => allowed({ allowedApis: ['https://gitlab.com'] }, other),
    /"https:\/\/ghe\.example\.com" not allowed/,
  )
  assert.doesNotThrow(() => allowed({ allowedApis: ['https://gitlab.com'] }, plain))
})

test('a Secret that is not labelled for forges is reported like one that does not exist', async () => {
  const scmProvider = { gitea: { api: gitea.address, owner: 'acme', tokenRef } }
  const absent =
    /tokenRef: namespace argocd has no Secret "forge" with the label argocd\.argoproj\.io\/secret-type=scm-creds and the key "token"$/
  await assert.rejects(fixture.parameters({ scmProvider }), absent)
  await addForgeSecret(fixture.store, { label: 'repository' })
  await assert.rejects(fixture.parameters({ scmProvider }), absent)
  await fixture.store.delete('Secret', 'argocd', 'forge')
  await addForgeSecret(fixture.store)
  assert.equal((await fixture.parameters({ scmProvider })).length, 2)
})

test('what is not a token is not sent, and not repeated', async () => {
  await addForgeSecret(fixture.store, { name: 'odd', token: 'a secret\nwith lines' })
  const { forges, store } = fixture.context
  await assert.rejects(
    openForge(
      forges,
      { ...plain, token: { name: 'odd', key: 'token' } },
      { store, namespace: 'argocd', project: '' },
      signal,
    ),
    (error: Error) => error.message === 'tokenRef: the value in Secret "odd" is not a token',
  )
})

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

test('caRef names a ConfigMap with the authority of the forge', { skip: noOpenssl }, async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-forge-'))
  const subject = ['-subj', '/CN=forge', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
  const options = { cwd: scratch.path, stdio: 'ignore' } as const
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', ...subject], options)
  const read = async (name: string) => readFile(path.join(scratch.path, name), 'utf8')
  const tls = { key: await read('key.pem'), cert: await read('cert.pem') }
  await using gitlab = await startGitlab('acme', someRepositories(), { tls })
  await using other = await startGeneratorFixture({}, { isEnabled: true, allowedApis: [gitlab.address] })
  const caRef = { configMapName: 'authorities', key: 'gitlab.pem' }
  const scmProvider = { gitlab: { api: gitlab.address, group: 'acme', caRef } }
  await assert.rejects(
    other.parameters({ scmProvider }),
    /^FailedPreconditionError: .*caRef: namespace argocd has no ConfigMap "authorities" with certificates in PEM form under the key "gitlab\.pem"$/,
  )
  await other.store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'authorities', namespace: 'argocd' },
    data: { 'gitlab.pem': tls.cert },
  })
  const sets = await other.parameters({ scmProvider })
  assert.deepEqual(
    sets.map(({ values }) => values['repository']),
    ['shop'],
  )
})

test('an API in a private network is asked only when it is listed', async () => {
  await using other = await startGeneratorFixture({}, { isEnabled: true })
  const { forges, store } = other.context
  const source = { store, namespace: 'argocd', project: '' }
  const asks = async (api: string, allowedApis: string[] = []) => {
    const options: ForgeOptions = { ...plain, forge: giteaForge, api }
    const opened = await openForge({ ...forges, allowedApis }, options, source, signal)
    return opened.one({ path: ['version'] }, () => true)
  }
  const port = new URL(gitea.address).port
  const spellings = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']
  for (const host of spellings) {
    await assert.rejects(
      asks(`http://${host}:${port}`),
      /^PermissionDeniedError: gitea: GET .* is an address of a private network/,
      host,
    )
  }
  assert.deepEqual(
    gitea.log.filter((line) => line.includes('/version')),
    [],
  )
  await assert.rejects(asks(gitea.address, [gitea.address]), /401 Unauthorized; give a tokenRef/)
})
