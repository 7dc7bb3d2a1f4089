import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import { applicationNames, partOf, setObject, trueConditions, waitForSet } from './set-fixture.ts'
import { applyWebhookSecret, notifyOfPush } from './webhook-fixture.ts'

const mesh = await usersMeshOfFile()
await applyWebhookSecret(mesh)
const ann = await mesh.connectAs('ann')
const repository = await mesh.fixture.createRepository('web-tenants', {
  'one.json': '{"name": "one", "project": "web"}',
})
const generators = [{ git: { repoURL: repository.url, revision: 'main', files: [{ path: '*.json' }] } }]
const applicationSet = setObject({ name: 'tenants', generators, project: '{{project}}' })
await ann.applicationSets.applyApplicationSet({ applicationSet })

async function push(files: Record<string, string | undefined>): Promise<void> {
  await repository.push(files)
  const [status, text] = await notifyOfPush(mesh.address, repository.url)
  assert.equal(status, 200, text)
}

/** Waits until the set's status has an error, and returns it. */
async function waitForError(message: RegExp): Promise<string> {
  const set = await waitForSet(mesh.admin, 'tenants', (one) => message.test(errorOf(one)))
  return errorOf(set)
}

function errorOf(set: JsonObject): string {
  return trueConditions(set).get('ErrorOccurred')?.message ?? ''
}

const isUpToDate = (set: JsonObject): boolean => {
  const conditions = trueConditions(set)
  return conditions.has('ResourcesUpToDate') && !conditions.has('ErrorOccurred')
}

async function waitForApplications(...names: string[]): Promise<void> {
  await waitForSet(mesh.admin, 'tenants', (set) => {
    const { status } = set as { status?: { resources?: { name: string }[] } }
    return isUpToDate(set) && status?.resources?.map(({ name }) => name).join() === names.join()
  })
  assert.deepEqual(await applicationNames(mesh.admin), names)
}

test('what is pushed becomes an Application as long as it stays in the projects of the author', async () => {
  await push({ 'two.json': '{"name": "two", "project": "web"}' })
  await waitForApplications('one', 'two')
})

test('a push that names another project changes nothing at all, and the set reports it', async () => {
  const first = await mesh.admin.applications.listApplications({})
  await push({
    'three.json': '{"name": "three", "project": "api"}',
    'four.json': '{"name": "four", "project": "web"}',
    'two.json': undefined,
  })
  assert.match(await waitForError(/project/), /^project api is not authorised for this ApplicationSet; /)
  assert.deepEqual(await mesh.admin.applications.listApplications({}), first)
  await push({ 'three.json': '{"name": "three", "project": "web"}' })
  await waitForApplications('four', 'one', 'three')
})

test('an Application does not move to another project by a push', async () => {
  await push({ 'one.json': '{"name": "one", "project": "api"}' })
  await waitForError(/project api is not authorised/)
  const { application } = await mesh.admin.applications.getApplication({ name: 'one' })
  assert.equal(partOf(application, 'spec')['project'], 'web')
  await push({ 'one.json': '{"name": "one", "project": "web"}' })
  await waitForApplications('four', 'one', 'three')
})

test('a push does not take an Application over that somebody else made', async () => {
  const taken = { name: 'taken', project: 'web', repoURL: repository.url, path: '.', branch: 'b' }
  await mesh.fixture.apply(taken)
  const made = (await mesh.admin.applications.getApplication({ name: 'taken' })).application
  await push({ 'taken.json': '{"name": "taken", "project": "web"}' })
  await waitForError(/taken/)
  const now = (await mesh.admin.applications.getApplication({ name: 'taken' })).application
  assert.deepEqual(partOf(now, 'spec'), partOf(made, 'spec'))
  assert.deepEqual(partOf(now, 'metadata')['ownerReferences'], undefined)
  await push({ 'taken.json': undefined })
  await mesh.admin.applications.deleteApplication({ name: 'taken' })
  await waitForApplications('four', 'one', 'three')
})

test('a right to the repository that is withdrawn from the author stops the set until it is given back', async () => {
  await mesh.applyPolicy(`p, ann, repositories, get, ${repository.url}, deny`)
  await push({ 'five.json': '{"name": "five", "project": "web"}' })
  const message = await waitForError(/repositories/)
  assert.equal(
    message,
    `spec.generators[0].git: permission denied: repositories, get, ${repository.url}, sub: ann`,
  )
  assert.deepEqual(await applicationNames(mesh.admin), ['four', 'one', 'three'])
  await mesh.applyPolicy()
  await waitForApplications('five', 'four', 'one', 'three')
})
