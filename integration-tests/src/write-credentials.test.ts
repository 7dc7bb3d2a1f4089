import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { gitUser, meshOfFile } from './mesh-fixture.ts'
import { RepositoryFixture } from './repository-fixture.ts'

// Polls are an hour apart, so what goes on does so because the change itself was noticed.
const mesh = await meshOfFile()
await mesh.fixture.gateway.repositories.deleteRepository({ repoUrl: mesh.git.server.url, write: true })

async function dryRepository(name: string): Promise<RepositoryFixture> {
  return mesh.fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
}

test('missing write credentials are named as such, those of another project too, and the right ones apply at once', async () => {
  const { fixture } = mesh
  const repository = await dryRepository('locked')
  const { url: repoUrl } = repository
  const missing = await fixture.applyAndFail({
    name: 'locked',
    repoURL: repoUrl,
    branch: 'environments/locked',
  })
  assert.equal(
    missing,
    `Failed to hydrate: no write credentials are stored for ${repoUrl}, which rejects pushes without them; ` +
      `add some with "wadi repo add ${repoUrl} --write --username NAME"`,
  )
  const { repositories } = fixture.gateway
  const credentials = { repoUrl, write: true, skipValidation: true, ...gitUser }
  await repositories.createRepository({ ...credentials, project: 'team' })
  const { currentOperation } = await fixture.hydrate('locked')
  assert.match(
    currentOperation?.message ?? '',
    /are those of another project and do not apply to project "default"/,
  )
  assert.match(currentOperation?.message ?? '', /--write --username NAME --project default"/)
  assert.doesNotMatch(currentOperation?.message ?? '', /team/)
  await repositories.createRepository(credentials)
  const drySha = await repository.dry.head()
  const { warnings } = await fixture.waitFor('locked', isHydratedAt(drySha))
  assert.equal(warnings, undefined)
})

test('credentials of a single project do not apply to a branch of several, and the message says so', async () => {
  const { fixture } = mesh
  const { url: repoURL } = await dryRepository('several')
  await fixture.applyProject('second')
  const { repositories } = fixture.gateway
  const credentials = { repoUrl: repoURL, write: true, skipValidation: true, ...gitUser }
  await repositories.createRepository({ ...credentials, project: 'second' })
  const branch = 'environments/several'
  await fixture.apply({ name: 'several', repoURL, branch })
  await fixture.apply({ name: 'several-2', repoURL, branch, path: 'several', project: 'second' })
  const { currentOperation } = await fixture.hydrate('several-2')
  const message = currentOperation?.message ?? ''
  assert.match(message, /are those of another project and do not apply to a branch of several projects; /)
  assert.match(message, /--write --username NAME"/)
})

test('wrong write credentials and a missing right to push have different messages', async () => {
  const { fixture, git } = mesh
  const repository = await dryRepository('refused')
  const { url: repoUrl } = repository
  const { repositories } = fixture.gateway
  const write = { repoUrl, write: true, skipValidation: true, upsert: true, username: gitUser.username }
  await repositories.createRepository({ ...write, password: 'wrong' })
  const wrong = await fixture.applyAndFail({
    name: 'refused',
    repoURL: repoUrl,
    branch: 'environments/refused',
  })
  assert.match(
    wrong,
    /does not accept the write credentials of Secret [\w-]+ in namespace argocd; replace them with "wadi repo add .* --write .*--upsert"/,
  )
  git.listen(({ path, service }) =>
    path.includes('/refused.git/') && service === 'git-receive-pack' ? 403 : undefined,
  )
  await repositories.createRepository({ ...write, password: gitUser.password })
  const refused = await fixture.waitFor('refused', ({ status }) =>
    /refuses the push/.test(status.currentOperation?.message ?? ''),
  )
  assert.match(
    refused.currentOperation?.message ?? '',
    /they may not push there; give their account the right to push/,
  )
  git.listen(undefined)
  const { currentOperation } = await fixture.hydrate('refused')
  assert.equal(currentOperation?.phase, 'Hydrated')
})

test('a push without credentials leaves a warning until there are some', async () => {
  await using owned = new AsyncDisposableStack()
  const open = owned.use(await startGitHttpServer({}))
  const served = await open.createRepository('open.git')
  const repository = await RepositoryFixture.open(served, join(mesh.fixture.directory, 'copies', 'open'))
  const first = await repository.push({ 'open/a.yaml': configMap('open', '1') })
  await mesh.fixture.apply({ name: 'open', repoURL: served.url, branch: 'environments/open' })
  const { warnings } = await mesh.fixture.waitFor('open', isHydratedAt(first))
  assert.equal(warnings?.length, 1)
  assert.match(
    warnings?.[0] ?? '',
    /accepts pushes without credentials, .* "wadi repo add .*\/open\.git --write --username NAME"/,
  )
  await mesh.fixture.addCredentials({ repoUrl: served.url, ...gitUser })
  const second = await repository.push({ 'open/a.yaml': configMap('open', '2') })
  const settled = await mesh.fixture.hydrateTo(second, 'open')
  assert.equal(settled.warnings, undefined)
})
