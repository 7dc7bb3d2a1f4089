import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { type ApplicationFixture, applicationObject, configMap } from './application-fixture.ts'
import { gitUser, meshOfFile } from './mesh-fixture.ts'

const mesh = await meshOfFile({ environment: { WADI_MAX_MESSAGE_SIZE: '4MiB' } })
const repository = await mesh.fixture.createRepository('remote', { 'good/a.yaml': configMap('good', '1') })

/** A sound Application with something changed. */
function changed(name: string, change: Partial<ApplicationFixture>): ApplicationFixture {
  return { name, path: 'good', repoURL: repository.url, branch: `errors/${name}`, ...change }
}

/** Returns the error of creating an Application with validation. */
async function rejection(application: ApplicationFixture): Promise<{ code: string; message: string }> {
  const request = { application: applicationObject(application), validate: true }
  try {
    await mesh.fixture.gateway.applications.createApplication(request)
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error)
    return { code: Code[code], message: rawMessage }
  }
  throw new Error(`application ${application.name} was accepted`)
}

test('an unknown revision is NotFound at creation and reported in the status', async () => {
  const application = changed('revision', { revision: 'no-such-branch' })
  const { code, message } = await rejection(application)
  assert.equal(code, 'NotFound')
  assert.match(message, /"no-such-branch" does not exist.*give a branch, tag/)
  assert.match(await mesh.fixture.applyAndFail(application), /"no-such-branch" does not exist/)
  assert.equal(await repository.head(application.branch), '')
})

test('an unreachable repository is Unavailable', async () => {
  const application = changed('unreachable', { repoURL: 'http://127.0.0.1:1/team/apps.git' })
  const { code, message } = await rejection(application)
  assert.equal(code, 'Unavailable')
  assert.match(message, /127\.0\.0\.1:1\/team\/apps\.git cannot be reached/)
  assert.match(await mesh.fixture.applyAndFail(application), /cannot be reached/)
})

test('a missing repository is NotFound', async () => {
  const repoURL = `${mesh.git.server.url}/absent.git`
  const { code, message } = await rejection(changed('absent', { repoURL }))
  assert.equal(code, 'NotFound')
  assert.match(message, /absent\.git; check its URL/)
})

test('a repository that moved to another host is reported as moved and the redirect is not followed', async () => {
  mesh.git.listen(({ path }) => {
    const elsewhere = mesh.git.server.url.replace('127.0.0.1', 'localhost')
    const location = `${elsewhere}${path.replace('/old.git', '/remote.git')}`
    return path.startsWith('/old.git') ? { status: 301, headers: { location } } : undefined
  })
  const { code, message } = await rejection(changed('moved', { repoURL: `${mesh.git.server.url}/old.git` }))
  mesh.git.listen(undefined)
  assert.equal(code, 'FailedPrecondition')
  assert.match(message, /moved.*old\.git/)
})

test('a wrong password is PermissionDenied and shown nowhere', async () => {
  const locked = await mesh.fixture.createRepository('locked', { 'good/a.yaml': configMap('good', '1') })
  const password = 'not-the-password'
  await mesh.fixture.addCredentials({ repoUrl: locked.url, username: gitUser.username, password })
  const application = changed('password', { repoURL: locked.url })
  const { code, message } = await rejection(application)
  assert.equal(code, 'PermissionDenied')
  assert.match(
    message,
    /authentication failed for .*locked\.git: correct the credentials of Secret repository-[0-9a-f]{16} in namespace argocd/,
  )
  const status = await mesh.fixture.applyAndFail(application)
  assert.match(status, /authentication failed/)
  assert.ok(!`${message}${status}`.includes(password))
})

test('paths that are absolute or leave the repository are InvalidArgument and name the field', async () => {
  for (const path of ['/etc', '../other', 'good/../../other']) {
    const { code, message } = await rejection(changed('dry-path', { path }))
    assert.equal(code, 'InvalidArgument')
    assert.match(message, /drySource\.path/)
    const sync = await rejection(changed('sync-path', { syncPath: path }))
    assert.equal(sync.code, 'InvalidArgument')
    assert.match(sync.message, /syncSource\.path/)
  }
})

test('a path that is missing in the repository is reported', async () => {
  const { code, message } = await rejection(changed('missing-path', { path: 'nowhere' }))
  assert.match(code, /InvalidArgument|NotFound/)
  assert.match(message, /nowhere/)
})

test('a symlink that leaves the repository is refused', async () => {
  const { directory } = repository.dry
  await symlink('../../../../../../etc', join(directory, 'escape'))
  await repository.dry.git.raw(['add', 'escape'])
  await repository.push({ 'linked/b.yaml': configMap('b', '1') }, 'Links out')
  const { code, message } = await rejection(changed('escape', { path: 'escape' }))
  assert.equal(code, 'InvalidArgument')
  assert.match(message, /escape/)
  assert.match(message, /outside|leaves/)
})

test('git transports with commands and options in disguise are InvalidArgument', async () => {
  for (const repoURL of ['ext::sh -c touch% /tmp/owned', '--upload-pack=touch /tmp/owned', 'file:///etc']) {
    const { code } = await rejection(changed('transport', { repoURL }))
    assert.equal(code, 'InvalidArgument', repoURL)
  }
  const { code, message } = await rejection(changed('option', { revision: '--output=/tmp/owned' }))
  assert.match(code, /InvalidArgument|NotFound/)
  assert.match(message, /--output/)
})

test('a hydrated branch whose name is the directory of another branch is reported', async () => {
  await repository.pushForeign('taken', { 'a.txt': 'ours\n' })
  const application = changed('inside', { branch: 'taken/inside' })
  const message = await mesh.fixture.applyAndFail(application)
  assert.match(message, /taken/)
  assert.equal(await repository.head('taken/inside'), '')
})

test('source beside sourceHydrator is InvalidArgument', async () => {
  const resource = applicationObject(changed('both', {}))
  const spec = resource['spec'] as Record<string, unknown>
  Object.assign(spec, { source: { repoURL: repository.url, path: 'good' } })
  await assert.rejects(mesh.fixture.gateway.resources.applyResource({ resource }), (error: unknown) => {
    const { code, rawMessage } = ConnectError.from(error)
    assert.equal(code, Code.InvalidArgument)
    assert.match(rawMessage, /spec\.source and spec\.sourceHydrator cannot both be set/)
    return true
  })
})

test('a request over the message limit is ResourceExhausted', async () => {
  const annotations = { note: 'x'.repeat(5 * 1024 * 1024) }
  const { code } = await rejection(changed('large', { annotations }))
  assert.equal(code, 'ResourceExhausted')
})
