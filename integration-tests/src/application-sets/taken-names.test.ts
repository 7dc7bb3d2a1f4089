import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import { applicationObject } from '../application-fixture.ts'
import {
  applicationNames,
  metadataOf,
  namesGenerator,
  partOf,
  rejectionOf,
  setObject,
  trueConditions,
  waitForSet,
} from './set-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
for (const [name, project] of [
  ['lonely', 'web'],
  ['hidden', 'api'],
] as const) {
  const application = { name, project, repoURL: `${mesh.git.server.url}/${project}-x.git`, branch: 'b' }
  await mesh.fixture.apply(application)
}

const listSet = (name: string, ...names: string[]) => {
  return setObject({ name, generators: [namesGenerator(...names)] })
}

/** Returns the parts of an Application that users decide, and its owner; its status changes by itself. */
async function storedApplication(name: string) {
  const { application } = await mesh.admin.applications.getApplication({ name })
  const { uid, generation, ownerReferences = [] } = metadataOf(application)
  return { uid, generation, ownerReferences, spec: partOf(application, 'spec') }
}

test('an Application that nobody owns is not adopted, and one that is hidden is refused without its name', async () => {
  const [lonely, hidden] = [await storedApplication('lonely'), await storedApplication('hidden')]
  for (const user of [ann, mesh.admin]) {
    assert.equal(
      await rejectionOf(user.applicationSets.applyApplicationSet({ applicationSet: listSet('a', 'lonely') })),
      'FailedPrecondition: application lonely is not managed by this ApplicationSet',
    )
  }
  const takesHidden = listSet('a', 'fresh', 'hidden')
  for (const refused of [
    ann.applicationSets.applyApplicationSet({ applicationSet: takesHidden }),
    ann.applicationSets.applyApplicationSet({ applicationSet: takesHidden, upsert: true, dryRun: true }),
  ].map(rejectionOf)) {
    const rejection = (await refused) ?? ''
    assert.match(rejection, /^(PermissionDenied|FailedPrecondition): /)
    assert.ok(!rejection.includes('api/'), rejection)
  }
  assert.deepEqual(await storedApplication('lonely'), lonely)
  assert.deepEqual(await storedApplication('hidden'), hidden)
  assert.deepEqual(await applicationNames(mesh.admin), ['hidden', 'lonely'])
})

test('a patch that renames an Application to the name of a foreign one is refused', async () => {
  const lonely = await storedApplication('lonely')
  const applicationSet = setObject({
    name: 'renaming',
    generators: [namesGenerator('mine')],
    spec: { templatePatch: 'metadata: {name: lonely}' },
  })
  assert.equal(
    await rejectionOf(ann.applicationSets.applyApplicationSet({ applicationSet })),
    'FailedPrecondition: application lonely is not managed by this ApplicationSet',
  )
  assert.deepEqual(await storedApplication('lonely'), lonely)
})

test('a set of the name of a deleted one does not have its Applications, nor do its owners come from a request', async () => {
  const applicationSet = listSet('again', 'left-1', 'left-2')
  const first = await ann.applicationSets.applyApplicationSet({ applicationSet })
  const orphaned = await ann.applicationSets.deleteApplicationSet({ name: 'again', orphan: true })
  assert.deepEqual(orphaned.applications, ['left-1', 'left-2'])
  assert.equal(
    await rejectionOf(ann.applicationSets.applyApplicationSet({ applicationSet })),
    'FailedPrecondition: application left-1 is not managed by this ApplicationSet',
  )
  const { uid } = metadataOf(first.applicationSet)
  const second = await ann.applicationSets.applyApplicationSet({
    applicationSet: { ...listSet('again', 'new'), metadata: { name: 'again', uid } },
  })
  assert.notEqual(metadataOf(second.applicationSet).uid, uid)
  assert.deepEqual((await ann.applicationSets.deleteApplicationSet({ name: 'again' })).applications, ['new'])
  assert.deepEqual((await storedApplication('left-1')).ownerReferences, [])
})

test('an Application does not become part of a set by what its user writes', async () => {
  const { applicationSet } = await ann.applicationSets.applyApplicationSet({
    applicationSet: listSet('real', 'real-1'),
  })
  const { name, uid } = metadataOf(applicationSet)
  const object = applicationObject({
    name: 'joins',
    project: 'api',
    repoURL: 'https://x.test/x',
    branch: 'b',
  })
  const owner = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name,
    uid,
    controller: true,
  }
  const metadata = { name: 'joins', namespace: 'argocd', ownerReferences: [owner] }
  await mesh.admin.applications.createApplication({ application: { ...object, metadata } })
  const { applications } = await ann.applicationSets.deleteApplicationSet({ name: 'real' })
  assert.deepEqual(applications, ['real-1'])
  assert.ok((await applicationNames(mesh.admin)).includes('joins'))
})

test('of two users who change a set at once from the same version one wins, and its Applications are the ones', async () => {
  await ann.applicationSets.applyApplicationSet({ applicationSet: listSet('shared', 'shared-0') })
  // The service writes the outcome into the set, which makes a version too.
  const seen = await waitForSet(ann, 'shared', (set) => trueConditions(set).has('ResourcesUpToDate'))
  const { resourceVersion } = metadataOf(seen)
  const second = await mesh.connectAs('ann')
  const outcomes = await Promise.all(
    [ann, second].map(async (user, index) => {
      const changed = listSet('shared', 'shared-0', `shared-by-${index}`)
      const applicationSet = { ...changed, metadata: { name: 'shared', resourceVersion } }
      return rejectionOf(user.applicationSets.applyApplicationSet({ applicationSet, upsert: true }))
    }),
  )
  const winner = outcomes.indexOf(undefined)
  assert.match(outcomes[1 - winner] ?? '', /^Aborted: /)
  const owned = (await applicationNames(ann)).filter((name) => name.startsWith('shared'))
  assert.deepEqual(owned, ['shared-0', `shared-by-${winner}`])
})

test('of two users who change a set at once without saying what they saw the last one wins whole', async () => {
  await Promise.all(
    ['left', 'right'].map((side) =>
      ann.applicationSets.applyApplicationSet({
        applicationSet: listSet('shared', `shared-${side}-1`, `shared-${side}-2`),
        upsert: true,
      }),
    ),
  )
  const { applicationSet } = await ann.applicationSets.getApplicationSet({ name: 'shared' })
  const side = JSON.stringify(applicationSet).includes('shared-left-1') ? 'left' : 'right'
  const owned = (await applicationNames(ann)).filter((name) => name.startsWith('shared'))
  assert.deepEqual(owned, [`shared-${side}-1`, `shared-${side}-2`])
})
