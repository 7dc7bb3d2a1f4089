import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { startUsersMesh, type UsersMesh } from '../access/users-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'
import { applicationNames, metadataOf, namesGenerator, refusalOf, setObject } from './set-fixture.ts'

let mesh: UsersMesh
let ann: GatewayClient
let bob: GatewayClient
before(async () => {
  mesh = await startUsersMesh()
  ann = mesh.connect(await mesh.signIn('ann'))
  bob = mesh.connect(await mesh.signIn('bob'))
  await ann.applicationSets.applyApplicationSet({ applicationSet: annsSet('web-1', 'web-2') })
})
after(() => mesh[Symbol.asyncDispose]())

const annsSet = (...names: string[]) => setObject({ name: 'anns', generators: [namesGenerator(...names)] })

const inProjects = (...pairs: [name: string, project: string][]): JsonObject =>
  setObject({
    name: 'both',
    generators: [{ list: { elements: pairs.map(([name, project]) => ({ name, project })) } }],
    project: '{{project}}',
  })

const apply = (user: GatewayClient, applicationSet: JsonObject) =>
  user.applicationSets.applyApplicationSet({ applicationSet, upsert: true })

test('a set whose Applications one may not see is not changed, and the refusal does not tell that it is there', async () => {
  const before = await mesh.admin.applicationSets.getApplicationSet({ name: 'anns' })
  const bobs = setObject({ name: 'anns', project: 'api', generators: [namesGenerator('api-1')] })
  assert.equal(
    await refusalOf(apply(bob, bobs)),
    'PermissionDenied: permission denied: applicationsets, create, api/anns, sub: bob',
  )
  assert.match((await refusalOf(apply(bob, annsSet('web-1')))) ?? '', /^PermissionDenied: /)
  const missing = 'NotFound: ApplicationSet argocd/anns does not exist'
  for (const confirmDeletions of [false, true]) {
    const refresh = bob.applicationSets.refreshApplicationSet({ name: 'anns', confirmDeletions })
    assert.equal(await refusalOf(refresh), missing)
  }
  for (const orphan of [false, true]) {
    assert.equal(await refusalOf(bob.applicationSets.deleteApplicationSet({ name: 'anns', orphan })), missing)
  }
  assert.deepEqual(await mesh.admin.applicationSets.getApplicationSet({ name: 'anns' }), before)
  assert.deepEqual(await applicationNames(mesh.admin), ['web-1', 'web-2'])
})

test('a set with Applications in two projects is for those alone who may make them in both', async () => {
  const both = inProjects(['web-3', 'web'], ['api-3', 'api'])
  for (const [user, name] of [
    [ann, 'ann'],
    [bob, 'bob'],
  ] as const) {
    const refused = `PermissionDenied: permission denied: 1 of 2 Applications of the set, sub: ${name}`
    assert.equal(await refusalOf(apply(user, both)), refused)
    assert.equal(
      await refusalOf(user.applicationSets.generateApplications({ applicationSet: both })),
      refused,
    )
  }
  assert.deepEqual(await applicationNames(mesh.admin), ['web-1', 'web-2'])
  const { changes } = await apply(mesh.admin, both)
  assert.deepEqual(
    changes.map(({ action, name }) => `${action} ${name}`),
    ['create api-3', 'create web-3'],
  )
  // Each sees the Application of the own project and not the set, which would tell of the other one.
  for (const [user, name] of [
    [ann, 'web-3'],
    [bob, 'api-3'],
  ] as const) {
    const { application } = await user.applications.getApplication({ name })
    assert.equal(metadataOf(application).ownerReferences?.[0]?.name, 'both')
    assert.match(
      (await refusalOf(user.applicationSets.getApplicationSet({ name: 'both' }))) ?? '',
      /^NotFound/,
    )
  }
})

test('a project that a template gives is judged by what comes out', async () => {
  const rendered = setObject({
    name: 'rendered',
    generators: [{ list: { elements: [{ name: 'web-4', project: 'web' }] } }],
    project: '{{project}}',
  })
  assert.equal((await apply(ann, rendered)).outcome, 'created')
  assert.match((await refusalOf(apply(bob, rendered))) ?? '', /^PermissionDenied/)
})

test("the template of a generator does not lead out of the project that the set's template names", async () => {
  const elements = [{ name: 'stolen' }]
  const generators = [{ list: { elements, template: { metadata: {}, spec: { project: 'api' } } } }]
  assert.equal(
    await refusalOf(apply(ann, setObject({ name: 'hole', generators }))),
    'PermissionDenied: permission denied: 1 of 1 Applications of the set, sub: ann',
  )
})

test('a patch does not lead out of the project either', async () => {
  const generators = [namesGenerator('patched')]
  const spec = { templatePatch: 'spec: {project: api}' }
  const { changes } = await apply(ann, setObject({ name: 'patched', generators, spec }))
  const [change] = changes
  assert.equal((change?.after?.['spec'] as JsonObject)['project'], 'web')
})

test('who may no longer delete one of the Applications keeps the whole set', async () => {
  await mesh.applyPolicy('p, ann, applications, delete, web/web-2, deny')
  const refused = 'PermissionDenied: permission denied: applications, delete, web/web-2, sub: ann'
  await waitForRefusal(refused, () => ann.applicationSets.deleteApplicationSet({ name: 'anns' }))
  assert.equal(await refusalOf(apply(ann, annsSet('web-1'))), refused)
  assert.ok((await applicationNames(ann)).includes('web-2'))
  await mesh.applyPolicy()
})

/** A policy counts when every service has seen it. */
async function waitForRefusal(expected: string, call: () => Promise<unknown>): Promise<void> {
  assert.equal(await refusalOf(call()), expected)
}
