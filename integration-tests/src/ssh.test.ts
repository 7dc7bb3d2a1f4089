import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { configMap } from './application-fixture.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from './hydration-fixture.ts'
import { quietEnvironment } from './mesh-fixture.ts'

const skip = sshServerAvailable() ? false : 'needs sshd'

test('a dry commit is hydrated over SSH with a key and known hosts', { skip }, async () => {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const git = owned.use(await startGitSshServer())
  const mesh = await startMesh({
    dataDirectory: await makeDataDirectory(directory),
    listen: '127.0.0.1:0',
    environment: quietEnvironment,
  })
  owned.use(mesh)
  const { address, adminToken: token } = mesh
  const fixture = owned.use(new HydrationFixture({ address, token, directory, git }))
  const repository = await fixture.createRepository('shell', { 'shell/a.yaml': configMap('shell', '1') })
  const branch = 'environments/shell'
  const application = { name: 'shell', repoURL: repository.url, branch }
  const credentials = { repoUrl: repository.url, sshKnownHosts: git.knownHosts }
  await fixture.addCredentials({ ...credentials, sshPrivateKey: git.foreignPrivateKey })
  assert.match(await fixture.applyAndFail(application), /authentication failed for ssh:/)
  await fixture.addCredentials({ ...credentials, sshPrivateKey: git.privateKey, upsert: true })
  await fixture.hydrateTo(await repository.dry.head(), 'shell')
  const drySha = await repository.push({ 'shell/a.yaml': configMap('shell', '2') })
  await fixture.hydrateTo(drySha, 'shell')
  assert.equal((await repository.commits(branch)).length, 2)
  assert.match(await repository.read(branch, 'shell/manifest.yaml'), /value: "2"/)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
