import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { applicationObject, configMap, projectObject } from '../application-fixture.ts'
import { namesGenerator, rejectionOf, setObject } from '../application-sets/set-fixture.ts'
import { applyWebhookSecret, notifyOfPush } from '../application-sets/webhook-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { inCluster, usersMeshOfFile } from './users-fixture.ts'

const branch = 'environments/web'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const own = await mesh.fixture.createRepository('web-own', { 'app/a.yaml': configMap('a', '1') })
const other = await mesh.fixture.createRepository('web-other', { 'app/a.yaml': configMap('a', '1') })
await permit([own.url])
await applyWebhookSecret(mesh)

/** Lets the project web have these repositories and destinations alone. */
async function permit(sourceRepos: string[], namespace = 'web-*'): Promise<void> {
  const spec = { sourceRepos, destinations: [{ server: inCluster, namespace }] }
  await mesh.admin.resources.applyResource({ resource: projectObject('web', spec) })
}

interface Wanted {
  repoURL?: string
  destination?: string
  namespace?: string
  project?: string
}

function application(wanted: Wanted = {}): JsonObject {
  return applicationObject({
    name: 'app',
    project: 'web',
    namespace: 'web-app',
    repoURL: own.url,
    branch,
    ...wanted,
  })
}

const forbidden: [string, () => Wanted, () => string][] = [
  [
    'another repository',
    () => ({ repoURL: other.url }),
    () => `application repo ${other.url} is not permitted in project 'web'`,
  ],
  [
    'another repository to hydrate to',
    () => ({ destination: other.url }),
    () => `destination repo ${other.url} is not permitted in project 'web'`,
  ],
  [
    'another namespace',
    () => ({ namespace: 'kube-system' }),
    () => `destination ${inCluster} namespace kube-system is not permitted in project 'web'`,
  ],
]

for (const [what, wanted, reason] of forbidden) {
  test(`${what} is refused on every way to create an Application`, async () => {
    const refused = `PermissionDenied: ${reason()}`
    const object = application(wanted())
    assert.equal(await rejectionOf(ann.applications.createApplication({ application: object })), refused)
    assert.equal(await rejectionOf(ann.resources.applyResource({ resource: object })), refused)
    assert.equal(await rejectionOf(mesh.admin.resources.applyResource({ resource: object })), refused)
    const template = { metadata: { name: '{{name}}' }, spec: object['spec'] ?? null }
    const applicationSet = setObject({ generators: [namesGenerator('app')], spec: { template } })
    for (const rejection of [
      ann.applicationSets.applyApplicationSet({ applicationSet }),
      ann.applicationSets.applyApplicationSet({ applicationSet, dryRun: true }),
      ann.applicationSets.generateApplications({ applicationSet }),
    ].map(rejectionOf)) {
      assert.equal(await rejection, `PermissionDenied: Application app: ${reason()}`)
    }
    assert.deepEqual((await mesh.admin.applications.listApplications({})).applications, [])
    assert.deepEqual((await mesh.admin.applicationSets.listApplicationSets({})).applicationSets, [])
  })
}

test('an Application that is permitted is hydrated, and is not changed into one that is not', async () => {
  await ann.applications.createApplication({ application: application() })
  await mesh.fixture.waitFor('app', isHydratedAt(await own.dry.head()))
  for (const [, wanted, reason] of forbidden) {
    const object = application(wanted())
    for (const rejection of [
      ann.applications.updateApplication({ application: object }),
      ann.applications.createApplication({ application: object, upsert: true }),
      ann.resources.applyResource({ resource: object }),
    ].map(rejectionOf)) {
      assert.equal(await rejection, `PermissionDenied: ${reason()}`)
    }
  }
  const moved = ann.applications.updateApplication({ application: application({ project: 'api' }) })
  assert.match((await rejectionOf(moved)) ?? '', /^PermissionDenied: permission denied: applications, /)
})

const withdrawals: [string, () => Promise<void>, () => string][] = [
  ['repository', () => permit(['https://git.example.com/*']), () => own.url],
  ['destination', () => permit([own.url], 'elsewhere'), () => 'namespace web-app'],
]
for (const [what, withdraw, named] of withdrawals) {
  test(`a ${what} that the project permits no longer stops the next hydration until it is back`, async () => {
    const commits = await own.commits(branch)
    await withdraw()
    const drySha = await own.push({ 'app/a.yaml': configMap('a', `without the ${what}`) })
    const refused = await rejectionOf(ann.applications.hydrateApplication({ name: 'app' }))
    assert.match(refused ?? '', /^PermissionDenied: .* is not permitted in project 'web'$/)
    assert.deepEqual(await notifyOfPush(mesh.address, own.url), [
      200,
      'queued 1 hydrated branch and 0 ApplicationSets',
    ])
    const rejection = await rejectionOf(ann.applications.getManifests({ name: 'app', dryRevision: drySha }))
    assert.match(rejection ?? '', /^PermissionDenied: .* is not permitted in project 'web'$/)
    const message = await mesh.fixture.waitForFailure('app')
    assert.ok(message.includes(named()), message)
    assert.match(message, /is not permitted in project 'web'/)
    assert.deepEqual(await own.commits(branch), commits)
    await permit([own.url])
    await mesh.fixture.hydrateTo(drySha, 'app')
    assert.equal((await own.commits(branch)).length, commits.length + 1)
  })
}
