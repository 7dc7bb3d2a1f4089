import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'
import {
  applicationNames,
  eventually,
  metadataOf,
  namesGenerator,
  partOf,
  rejectionOf,
  setObject,
} from './set-fixture.ts'

const annsSet = (...names: string[]) => setObject({ name: 'anns', generators: [namesGenerator(...names)] })

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const bob = await mesh.connectAs('bob')
await ann.applicationSets.applyApplicationSet({ applicationSet: annsSet('web-1', 'web-2') })

const inProjects = (...pairs: [name: string, project: string][]): JsonObject =>
  setObject({
    name: 'both',
    generators: [{ list: { elements: pairs.map(([name, project]) => ({ name, project })) } }],
    project: '{{project}}',
  })

const apply = (user: GatewayClient, applicationSet: JsonObject) =>
  user.applicationSets.applyApplicationSet({ applicationSet, upsert: true })

test('a set whose Applications one may not see is not changed, and the error does not reveal that it exists', async () => {
  const stored = await mesh.admin.applicationSets.getApplicationSet({ name: 'anns' })
  const bobs = setObject({ name: 'anns', project: 'api', generators: [namesGenerator('api-1')] })
  assert.equal(
    await rejectionOf(apply(bob, bobs)),
    'PermissionDenied: permission denied: applications, create, api/anns, sub: bob',
  )
  assert.match((await rejectionOf(apply(bob, annsSet('web-1')))) ?? '', /^PermissionDenied: /)
  const missing = 'NotFound: ApplicationSet argocd/anns does not exist'
  for (const confirmDeletions of [false, true]) {
    const refresh = bob.applicationSets.refreshApplicationSet({ name: 'anns', confirmDeletions })
    assert.equal(await rejectionOf(refresh), missing)
  }
  for (const orphan of [false, true]) {
    assert.equal(
      await rejectionOf(bob.applicationSets.deleteApplicationSet({ name: 'anns', orphan })),
      missing,
    )
  }
  assert.deepEqual(await mesh.admin.applicationSets.getApplicationSet({ name: 'anns' }), stored)
  assert.deepEqual(await applicationNames(mesh.admin), ['web-1', 'web-2'])
})

test('a set with Applications in two projects is for those alone who may make them in both', async () => {
  const both = inProjects(['web-3', 'web'], ['api-3', 'api'])
  for (const [user, name] of [
    [ann, 'ann'],
    [bob, 'bob'],
  ] as const) {
    const refused = `PermissionDenied: permission denied: 1 of 2 Applications of the set, sub: ${name}`
    assert.equal(await rejectionOf(apply(user, both)), refused)
    assert.equal(
      await rejectionOf(user.applicationSets.generateApplications({ applicationSet: both })),
      refused,
    )
  }
  assert.deepEqual(await applicationNames(mesh.admin), ['web-1', 'web-2'])
  const { changes } = await apply(mesh.admin, both)
  assert.deepEqual(
    changes.map(({ action, name }) => `${action} ${name}`),
    ['create api-3', 'create web-3'],
  )
  // Each sees the Application of the own project and not the set, which would reveal the other one.
  for (const [user, name] of [
    [ann, 'web-3'],
    [bob, 'api-3'],
  ] as const) {
    const { application } = await user.applications.getApplication({ name })
    assert.equal(metadataOf(application).ownerReferences?.[0]?.name, 'both')
    assert.match(
      (await rejectionOf(user.applicationSets.getApplicationSet({ name: 'both' }))) ?? '',
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
  assert.match((await rejectionOf(apply(bob, rendered))) ?? '', /^PermissionDenied/)
})

test("the template of a generator does not lead out of the project that the set's template names", async () => {
  const elements = [{ name: 'stolen' }]
  const generators = [{ list: { elements, template: { metadata: {}, spec: { project: 'api' } } } }]
  assert.equal(
    await rejectionOf(apply(ann, setObject({ name: 'hole', generators }))),
    'PermissionDenied: permission denied: 1 of 1 Applications of the set, sub: ann',
  )
})

test('a patch does not lead out of the project either', async () => {
  const generators = [namesGenerator('patched')]
  const spec = { templatePatch: 'spec: {project: api}' }
  const { changes } = await apply(ann, setObject({ name: 'patched', generators, spec }))
  const [change] = changes
  assert.equal(partOf(change?.after, 'spec')['project'], 'web')
})

test('a set without Applications is of those who may do the same in the project of its template', async () => {
  const empty = setObject({ name: 'empty', generators: [namesGenerator()] })
  assert.equal((await apply(ann, empty)).outcome, 'created')
  const call = { name: 'empty' }
  assert.match((await rejectionOf(bob.applicationSets.getApplicationSet(call))) ?? '', /^NotFound/)
  assert.match((await rejectionOf(bob.applicationSets.deleteApplicationSet(call))) ?? '', /^NotFound/)
  await ann.applicationSets.deleteApplicationSet(call)
  const templated = { generators: [{ list: { elements: [] } }], project: '{{project}}' }
  assert.match(
    (await rejectionOf(apply(ann, setObject({ name: 'empty', ...templated })))) ?? '',
    /^PermissionDenied: permission denied: applications, create, \*\/\*, sub: ann$/,
  )
  assert.equal((await apply(mesh.admin, setObject({ name: 'empty', ...templated }))).outcome, 'created')
})

test('a field that nobody knows is refused by its name', async () => {
  const generators = [namesGenerator('x')]
  const unknown: [JsonObject, RegExp][] = [
    [setObject({ name: 'new', generators, spec: { strategies: {} } }), /strategies/],
    [setObject({ name: 'new', generators: [{ list: { elements: [], element: [] } }] }), /element\b/],
    [{ ...setObject({ name: 'new', generators }), specs: {} }, /specs/],
  ]
  for (const [applicationSet, name] of unknown) {
    const rejection = (await rejectionOf(apply(mesh.admin, applicationSet))) ?? 'answered'
    assert.match(rejection, /^InvalidArgument: /)
    assert.match(rejection, name)
  }
})

test('allow rules on applicationsets have no effect, and a deny applies', async () => {
  await mesh.applyPolicy(
    'p, bob, applicationsets, *, */*, allow',
    'p, ann, applicationsets, update, web/anns, deny',
    'p, ann, applicationsets, delete, web/anns, deny',
  )
  const refused = (action: string) =>
    `PermissionDenied: permission denied: applicationsets, ${action}, web/anns, sub: ann`
  const change = { applicationSet: annsSet('web-1'), upsert: true, dryRun: true }
  await eventually(() => ann.applicationSets.applyApplicationSet(change), refused('update'))
  const deletion = ann.applicationSets.deleteApplicationSet({ name: 'anns' })
  assert.equal(await rejectionOf(deletion), refused('delete'))
  assert.match(
    (await rejectionOf(bob.applicationSets.getApplicationSet({ name: 'anns' }))) ?? '',
    /^NotFound/,
  )
})

test('who may no longer delete one of the Applications keeps the whole set', async () => {
  await mesh.applyPolicy('p, ann, applications, delete, web/web-2, deny')
  const refused = 'PermissionDenied: permission denied: applications, delete, web/web-2, sub: ann'
  const onlyFirst = { applicationSet: annsSet('web-1'), upsert: true }
  await eventually(() => ann.applicationSets.applyApplicationSet({ ...onlyFirst, dryRun: true }), refused)
  assert.equal(await rejectionOf(ann.applicationSets.applyApplicationSet(onlyFirst)), refused)
  assert.equal(await rejectionOf(ann.applicationSets.deleteApplicationSet({ name: 'anns' })), refused)
  assert.ok((await applicationNames(ann)).includes('web-2'))
})
