import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('a dry branch that is forced back is followed by one more commit; the hydrated branch is never rewound', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('back', { 'back/a.yaml': configMap('a', '1') })
  const branch = 'environments/back'
  const application = { name: 'back', repoURL: repository.url, branch }
  const first = await repository.dry.head()
  await fixture.applyAndWait(first, application)
  const second = await repository.push({ 'back/a.yaml': configMap('a', '2') })
  await fixture.hydrateTo(second, 'back')
  const earlier = await repository.commits(branch)
  await repository.dry.git.push([repository.directory, `+${first}:refs/heads/main`])
  await fixture.hydrateTo(first, 'back')
  const now = await repository.commits(branch)
  assert.deepEqual(now.slice(1), earlier)
  assert.match(await repository.read(branch, 'back/manifest.yaml'), /value: "1"/)
})

test('a tag that moves is followed, and one that is deleted fails without touching the branch', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('tag', { 'tag/a.yaml': configMap('a', '1') })
  const branch = 'environments/tag'
  const pushTag = async (sha: string) =>
    repository.dry.git.push([repository.directory, `+${sha}:refs/tags/live`])
  const first = await repository.dry.head()
  await pushTag(first)
  await fixture.applyAndWait(first, { name: 'tag', repoURL: repository.url, branch, revision: 'live' })
  const second = await repository.push({ 'tag/a.yaml': configMap('a', '2') })
  await pushTag(second)
  await fixture.hydrateTo(second, 'tag')
  const head = await repository.head(branch)
  await repository.dry.git.push([repository.directory, ':refs/tags/live'])
  await fixture.gateway.applications.hydrateApplication({ name: 'tag' })
  assert.match(await fixture.waitForFailure('tag'), /"live" does not exist/)
  assert.equal(await repository.head(branch), head)
})
