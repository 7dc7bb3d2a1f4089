import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { isHydratedAt, isSettled } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

// Polls are an hour apart, so what goes on does so because the change itself was noticed.
const mesh = await meshOfFile()
const clock = await mesh.fixture.createRepository('clock', { 'clock/a.yaml': configMap('clock', '0') })
const ofClock = { name: 'clock', repoURL: clock.url, branch: 'environments/clock' }
await mesh.fixture.applyAndWait(await clock.dry.head(), ofClock)

/** Has every repository looked at; what such a poll starts begins before the branch of the clock is hydrated again. */
async function poll(): Promise<void> {
  for (const round of [1, 2]) {
    const drySha = await clock.push({ 'clock/a.yaml': configMap('clock', `${round} ${Math.random()}`) })
    await mesh.fixture.poll()
    await mesh.fixture.waitFor('clock', isHydratedAt(drySha))
  }
}

async function dryRepository(name: string, text = configMap(name, '1')): Promise<RepositoryFixture> {
  return mesh.fixture.createRepository(name, { [`${name}/a.yaml`]: text })
}

async function startedAt(name: string): Promise<string | undefined> {
  return (await mesh.fixture.waitFor(name, isSettled)).currentOperation?.startedAt
}

test('a fixed project is picked up at once', async () => {
  const { fixture } = mesh
  const repository = await dryRepository('fixed')
  await fixture.applyProject('fixed', { sourceRepos: ['*'] })
  const place = { repoURL: repository.url, branch: 'environments/fixed', project: 'fixed' }
  await fixture.applyAndWait(await repository.dry.head(), { name: 'fixed', ...place })
  const second = await repository.push({ 'fixed/a.yaml': configMap('fixed', '2') })
  await fixture.applyProject('fixed', { sourceRepos: ['https://elsewhere.example.com/*'] })
  assert.match(await fixture.waitForFailure('fixed'), /is not permitted in project 'fixed'/)
  await fixture.applyProject('fixed', { sourceRepos: ['*'] })
  await fixture.waitFor('fixed', isHydratedAt(second))
})

test('fixed operator settings are picked up at once', async () => {
  const { fixture } = mesh
  const repository = await dryRepository('settings')
  await fixture.applyOperatorSettings({ 'sourceHydrator.commitMessageTemplate': '{{ .metadata' })
  const application = { name: 'settings', repoURL: repository.url, branch: 'environments/settings' }
  await fixture.applyAndFail(application)
  await fixture.applyOperatorSettings({})
  await fixture.waitFor('settings', isHydratedAt(await repository.dry.head()))
})

test('what only a change can fix is not tried again by polls, but by a new dry commit and on request', async () => {
  const { fixture } = mesh
  const repository = await dryRepository('invalid', 'apiVersion: v1\n')
  await fixture.applyAndFail({ name: 'invalid', repoURL: repository.url, branch: 'environments/invalid' })
  const first = await startedAt('invalid')
  await poll()
  assert.equal(await startedAt('invalid'), first)
  await fixture.hydrate('invalid')
  assert.notEqual(await startedAt('invalid'), first)
  const second = await repository.push({ 'invalid/a.yaml': configMap('invalid', '2') })
  await poll()
  await fixture.waitFor('invalid', isHydratedAt(second))
})

test('the annotation argocd.argoproj.io/refresh is acted on and removed; the operation moves only when something is done', async () => {
  const { fixture } = mesh
  const repository = await dryRepository('refreshed')
  const application = { name: 'refreshed', repoURL: repository.url, branch: 'environments/refreshed' }
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, application)
  const first = await startedAt('refreshed')
  const refresh = async (value: string): Promise<void> => {
    await fixture.apply({ ...application, annotations: { 'argocd.argoproj.io/refresh': value } })
  }
  await refresh('normal')
  assert.equal(await startedAt('refreshed'), first)
  await fixture.gateway.applications.getApplication({ name: 'refreshed', refresh: 'normal' })
  assert.equal(await startedAt('refreshed'), first)
  const second = await repository.push({ 'refreshed/a.yaml': configMap('refreshed', '2') })
  await refresh('normal')
  await fixture.waitFor('refreshed', isHydratedAt(second))
  const previous = await startedAt('refreshed')
  await refresh('hard')
  assert.notEqual(await startedAt('refreshed'), previous)
})

test('a poll asks a repository once, however many hydrated branches it holds', async () => {
  const { fixture, git } = mesh
  const names = Array.from({ length: 6 }, (_, index) => `counted-${index}`)
  const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
  const repository = await fixture.createRepository('counted', files)
  const place = { repoURL: repository.url }
  const applications = names.map((name) => ({ ...place, name, branch: `environments/${name}` }))
  await fixture.applyAndWait(await repository.dry.head(), ...applications)
  const asked: string[] = []
  git.listen(({ path, service }) => {
    if (path.includes('/counted.git/')) asked.push(service ?? path)
    return undefined
  })
  await poll()
  git.listen(undefined)
  // One question is one GET and one POST of git's protocol.
  assert.ok(
    asked.length >= 2 && asked.length <= 4,
    `two polls of ${names.length} branches: ${asked.join(', ')}`,
  )
  assert.ok(asked.every((service) => service === 'git-upload-pack'))
})

test('a git server that is down is reported as such, and found back', async () => {
  const { fixture, git } = mesh
  const repository = await dryRepository('away')
  const application = { name: 'away', repoURL: repository.url, branch: 'environments/away' }
  await fixture.applyAndWait(await repository.dry.head(), application)
  git.listen(({ path }) => (path.includes('/away.git/') ? 503 : undefined))
  const { branches } = await fixture.gateway.applications.getApplication({ name: 'away' })
  assert.match(branches?.error ?? '', /away\.git cannot be reached/)
  assert.equal(branches?.syncDrySha, '')
  git.listen(undefined)
  const second = await repository.push({ 'away/a.yaml': configMap('away', '2') })
  await poll()
  await fixture.waitFor('away', isHydratedAt(second))
})
