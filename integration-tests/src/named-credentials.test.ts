import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { startRegistry } from '@wadi/charts/registry-fixture.ts'
import { ConnectError } from '@connectrpc/connect'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { configMap } from './application-fixture.ts'
import { gitUser, meshOfFile } from './mesh-fixture.ts'

const mesh = await meshOfFile()

type Fields = Readonly<Record<string, unknown>>

async function add(repoUrl: string, more: Fields = {}): Promise<void> {
  await mesh.fixture.gateway.repositories.createRepository({ repoUrl, upsert: true, ...more })
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => assert.fail('it is accepted'),
    (error: unknown) => ConnectError.from(error).rawMessage,
  )
}

/** Returns the words of `repo get` about a stored repository. */
async function stateOf(repoUrl: string, write = false): Promise<string> {
  const { repositories } = await mesh.fixture.gateway.repositories.listRepositories({ refresh: true, write })
  return repositories.find((stored) => stored.repoUrl === repoUrl)?.message ?? assert.fail('it is not stored')
}

const wrong = { username: gitUser.username, password: 'hunter2-is-wrong' }
const given = /[:;] correct the credentials that were given$/
const named = /correct the credentials of Secret (repository-[0-9a-f]{16}) in namespace argocd/
const none = /no Secret in namespace argocd has credentials for it; store some with "wadi repo add"/
const bare =
  /Secret repository-[0-9a-f]{16} in namespace argocd, which applies to it, has no credentials; add some with "wadi repo add --upsert"/

test('what a git server does not accept is named, when it is added, listed and hydrated', async () => {
  await using git = await startGitHttpServer({ users: { [gitUser.username]: gitUser.password } })
  const { url } = await git.createRepository('locked.git')
  const hydrated = (name: string) =>
    mesh.fixture.applyAndFail({ name, repoURL: url, path: 'a', branch: `environments/${name}` })
  assert.match(await hydrated('nobody'), none)
  assert.match(
    await refusal(add(url)),
    /: no credentials were given; give some, for example with "wadi repo add URL --username NAME --password-stdin"$/,
  )
  assert.match(await refusal(add(url, wrong)), given)
  await add(url, { skipValidation: true })
  assert.match(await stateOf(url), bare)
  await add(url, { ...wrong, skipValidation: true })
  for (const message of [await stateOf(url), await hydrated('somebody')]) {
    assert.match(message, named)
    assert.doesNotMatch(message, /hunter2/)
  }
  await add(url, gitUser)
  assert.equal(await stateOf(url), '')
})

test('a server that refuses who it knows names the Secret too', async () => {
  const { fixture, git } = mesh
  const { url } = await fixture.createRepository('forbidden', { 'a/a.yaml': configMap('a', '1') })
  git.listen(({ path }) => (path.startsWith('/forbidden.git') ? 403 : undefined))
  const message = await fixture.applyAndFail({
    name: 'forbidden',
    repoURL: url,
    path: 'a',
    branch: 'environments/x',
  })
  git.listen(undefined)
  assert.match(
    message,
    /correct the credentials of Secret repo-creds-[0-9a-f]{16} in namespace argocd, for example with "wadi repo add --creds --upsert"/,
  )
})

test('a repository without credentials takes those of a URL above it, and its own connection settings', async () => {
  await using git = await startGitHttpServer({ users: { [gitUser.username]: gitUser.password } })
  const { url } = await git.createRepository('below.git')
  for (const write of [false, true]) {
    await add(git.url, { ...wrong, isPrefix: true, write, skipValidation: true })
    await add(url, { write, skipValidation: true })
    assert.match(
      await stateOf(url, write),
      /of Secret repo-(?:write-)?creds-[0-9a-f]{16} in namespace argocd/,
    )
    await add(git.url, { ...gitUser, isPrefix: true, write })
    assert.equal(await stateOf(url, write), '')
    await add(url, { proxy: 'http://127.0.0.1:1', write, skipValidation: true })
    assert.match(await stateOf(url, write), /cannot be reached: .*127\.0\.0\.1 port 1/)
  }
})

test(
  'a key that an ssh server does not accept names its Secret',
  { skip: sshServerAvailable() ? false : 'no sshd on this machine' },
  async () => {
    await using server = await startGitSshServer()
    await using other = await startGitSshServer()
    const { url } = await server.createRepository('a.git')
    const login = { sshPrivateKey: other.privateKey, sshKnownHosts: server.knownHosts }
    assert.match(await refusal(add(url, login)), given)
    await add(url, { ...login, skipValidation: true })
    assert.match(await stateOf(url), named)
  },
)

test('what a repository or registry of charts does not accept is named, and so is that nothing is stored', async () => {
  await using helm = await startChartServer({ users: { [gitUser.username]: 'right' } })
  await using registry = await startRegistry({ users: { [gitUser.username]: 'right' } })
  for (const [name, repoURL, more] of [
    ['of-helm', helm.url, { type: 'helm' }],
    ['of-oci', `${registry.host}/charts`, { type: 'helm', enableOci: true }],
  ] as const) {
    const hydrated = (suffix: string) =>
      mesh.fixture.applyAndFail({
        name: `${name}-${suffix}`,
        repoURL,
        revision: '1.0.0',
        path: '',
        source: { chart: 'web' },
        destination: `${mesh.git.server.url}/hydrated.git`,
        branch: `environments/${name}-${suffix}`,
      })
    assert.match(await refusal(add(repoURL, { ...more, ...wrong })), given)
    await add(repoURL, { ...more, ...wrong, skipValidation: true })
    for (const message of [await stateOf(repoURL), await hydrated('wrong')]) {
      assert.match(message, named)
      assert.doesNotMatch(message, /hunter2/)
    }
    await mesh.fixture.gateway.repositories.deleteRepository({ repoUrl: repoURL })
    assert.match(await hydrated('none'), none)
  }
})
