import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import { applicationObject, configMap, projectObject } from '../application-fixture.ts'
import { rejectionOf } from '../application-sets/set-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

const mesh = await meshOfFile()
await mesh.fixture.gateway.resources.applyResource({ resource: projectObject('team') })

/** Two hydrated Applications of a branch that removes what nobody claims any more. */
interface Bed {
  name: string
  repository: RepositoryFixture
  branch: string
  application: (which: string, wanted?: Partial<Parameters<typeof applicationObject>[0]>) => JsonObject
}

async function hydratedOnce(name: string): Promise<Bed> {
  const repository = await mesh.fixture.createRepository(name, filesAt(1))
  const branch = `environments/${name}`
  const application: Bed['application'] = (which, wanted = {}) =>
    applicationObject({
      name: `${name}-${which}`,
      path: which,
      syncPath: which,
      repoURL: repository.url,
      branch,
      annotations: { 'wadi.dev/prune': 'true' },
      ...wanted,
    })
  await apply(application('one'), application('two'))
  const drySha = await repository.dry.head()
  for (const which of ['one', 'two']) await mesh.fixture.waitFor(`${name}-${which}`, isHydratedAt(drySha))
  return { name, repository, branch, application }
}

const filesAt = (version: number) =>
  Object.fromEntries(
    ['one', 'two', 'three'].map((which) => [`${which}/a.yaml`, configMap(which, `${which} ${version}`)]),
  )

async function apply(...applications: JsonObject[]): Promise<void> {
  await mesh.fixture.gateway.applications.applyApplications({ applications })
}

/** Makes a change while the push of a hydration of the next dry commit is held up, and returns that commit. */
async function duringARun({ repository, name }: Bed, change: () => Promise<unknown>): Promise<string> {
  const drySha = await repository.push(filesAt(2))
  const held = Promise.withResolvers<void>()
  let isHeld = false
  mesh.git.listen(async ({ method, path }) => {
    if (method !== 'POST' || isHeld || !path.endsWith(`/${name}.git/git-receive-pack`)) return undefined
    isHeld = true
    await change().then(() => held.resolve(), held.reject)
    return undefined
  })
  await mesh.fixture.gateway.applications.hydrateApplication({ name: `${name}-one` })
  await held.promise
  return drySha
}

/** The values on the branch by directory. */
async function valuesOn({ repository, branch }: Bed): Promise<Record<string, string>> {
  // The branch may move between two looks.
  const head = await repository.head(branch)
  const manifests = (await repository.files(head)).filter((path) => path.endsWith('/manifest.yaml'))
  const values: Record<string, string> = {}
  for (const path of manifests) {
    values[path.replace('/manifest.yaml', '')] =
      /value: (.*)/.exec(await repository.read(head, path))?.[1] ?? ''
  }
  return values
}

/** Waits until the branch holds these values; more runs may follow the one that was held up. */
async function untilValues(bed: Bed, wanted: Record<string, string>): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const values = await valuesOn(bed)
    if (JSON.stringify(values) === JSON.stringify(wanted)) return
    if (performance.now() > deadline) assert.deepEqual(values, wanted)
    await pause(50)
  }
}

test('an Application that is added during a run is hydrated by the next', async () => {
  const bed = await hydratedOnce('added')
  const drySha = await duringARun(bed, () => apply(bed.application('three')))
  await mesh.fixture.waitFor('added-three', isHydratedAt(drySha))
  await untilValues(bed, { one: 'one 2', three: 'three 2', two: 'two 2' })
})

test('what an Application that is removed during a run left is removed by the next', async () => {
  const bed = await hydratedOnce('removed')
  await duringARun(bed, () => mesh.fixture.gateway.applications.deleteApplication({ name: 'removed-two' }))
  await untilValues(bed, { one: 'one 2' })
})

test('an Application that is renamed during a run keeps its directory', async () => {
  const bed = await hydratedOnce('renamed')
  const drySha = await duringARun(bed, async () => {
    await mesh.fixture.gateway.applications.deleteApplication({ name: 'renamed-two' })
    await apply(bed.application('two', { name: 'renamed-again' }))
  })
  await mesh.fixture.waitFor('renamed-again', isHydratedAt(drySha))
  await untilValues(bed, { one: 'one 2', two: 'two 2' })
})

test('two Applications that swap their paths during a run have each other’s in the end', async () => {
  const bed = await hydratedOnce('swapped')
  await duringARun(bed, () =>
    apply(bed.application('one', { syncPath: 'two' }), bed.application('two', { syncPath: 'one' })),
  )
  await untilValues(bed, { one: 'two 2', two: 'one 2' })
})

test('an Application whose path another one takes during a run fails with it, and the branch stays', async () => {
  const bed = await hydratedOnce('taken')
  await duringARun(bed, () => apply(bed.application('two', { syncPath: 'one' })))
  assert.match(
    await mesh.fixture.waitForFailure('taken-two'),
    /path one of branch environments\/taken is also claimed by/,
  )
  assert.deepEqual((await valuesOn(bed))['one'], 'one 2')
})

test('another spelling of the repository during a run is the same branch', async () => {
  const bed = await hydratedOnce('respelt')
  const repoURL = bed.repository.url.replace(/\.git$/, '')
  const drySha = await duringARun(bed, () => apply(bed.application('two', { repoURL })))
  await mesh.fixture.waitFor('respelt-two', isHydratedAt(drySha))
  await untilValues(bed, { one: 'one 2', two: 'two 2' })
})

test('a project that permits it no longer stops what follows, and one that does takes it on', async () => {
  const bed = await hydratedOnce('moved')
  const drySha = await duringARun(bed, () => apply(bed.application('one', { project: 'team' })))
  await mesh.fixture.waitFor('moved-one', isHydratedAt(drySha))
  await untilValues(bed, { one: 'one 2', two: 'two 2' })
  const withdrawn = projectObject('team', { sourceRepos: ['https://git.example.com/*'] })
  await mesh.fixture.gateway.resources.applyResource({ resource: withdrawn })
  await bed.repository.push(filesAt(3))
  const rejection = await rejectionOf(
    mesh.fixture.gateway.applications.hydrateApplication({ name: 'moved-one' }),
  )
  assert.match(rejection ?? '', /^PermissionDenied: .* is not permitted in project 'team'$/)
  assert.deepEqual((await valuesOn(bed))['one'], 'one 2')
})
