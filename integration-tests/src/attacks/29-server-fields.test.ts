import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import { applicationObject, projectObject } from '../application-fixture.ts'
import { namesGenerator, rejectionOf, setObject } from '../application-sets/set-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')

const repoURL = 'https://git.example.com/x.git'
const smuggled = {
  operation: { sync: { revision: 'main', manifests: ['kind: Secret'] } },
  status: {
    sourceHydrator: { lastSuccessfulOperation: { drySHA: 'f'.repeat(40), sourceHydrator: {} } },
  },
}
const forged = (name: string): JsonObject => {
  const object = applicationObject({ name, project: 'web', repoURL, branch: 'environments/x' })
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ApplicationSet', name: 'x', uid: 'x', controller: true },
  ]
  return {
    ...object,
    ...smuggled,
    metadata: { ...(object['metadata'] as JsonObject), ownerReferences, uid: 'mine' },
  }
}

const ways: [name: string, store: (application: JsonObject) => Promise<unknown>][] = [
  ['CreateApplication', (application) => ann.applications.createApplication({ application })],
  ['ApplyApplications', (application) => ann.applications.applyApplications({ applications: [application] })],
  ['ApplyResource', (resource) => ann.resources.applyResource({ resource })],
]

for (const [index, [name, store]] of ways.entries()) {
  test(`${name} and a later update drop what the server alone writes`, async () => {
    await store(forged(`app-${index}`))
    const look = async () => {
      const { application = {} } = await ann.applications.getApplication({ name: `app-${index}` })
      return application
    }
    for (const application of [
      await look(),
      await ann.applications.updateApplication({ application: forged(`app-${index}`) }).then(look),
    ]) {
      assert.ok(!('operation' in application))
      assert.doesNotMatch(JSON.stringify(application), /ffffffff|ownerReferences|"mine"/)
    }
  })
}

test('a template patch gives no Application an operation', async () => {
  const applicationSet = setObject({
    generators: [namesGenerator('patched')],
    spec: { templatePatch: JSON.stringify({ operation: smuggled.operation }) },
  })
  await ann.applicationSets.applyApplicationSet({ applicationSet })
  const { application = {} } = await ann.applications.getApplication({ name: 'patched' })
  assert.ok(!('operation' in application))
})

test("rights are checked in the rendered Application's project, in a preview too", async () => {
  const generators = [{ list: { elements: [{ name: 'x', project: 'api' }] } }]
  const applicationSet = setObject({ name: 'other', generators, project: '{{project}}' })
  for (const call of [
    () => ann.applicationSets.applyApplicationSet({ applicationSet }),
    () => ann.applicationSets.applyApplicationSet({ applicationSet, dryRun: true }),
    () => ann.applicationSets.generateApplications({ applicationSet }),
    () => ann.resources.applyResource({ resource: applicationSet }),
  ]) {
    assert.match((await rejectionOf(call())) ?? 'done', /^PermissionDenied: /)
  }
})

test('an Application outside of the namespaces that its project permits is not stored', async () => {
  const object = forged('elsewhere')
  const application = { ...object, metadata: { name: 'elsewhere', namespace: 'tenant' } }
  for (const [, store] of ways) {
    assert.match((await rejectionOf(store(application))) ?? 'done', /^PermissionDenied: /)
  }
})

test('the generic apply asks for the right of each kind', async () => {
  const labelled = (name: string, type: string, stringData: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { 'argocd.argoproj.io/secret-type': type } },
    stringData,
  })
  const objects: [object: JsonObject, resource: string][] = [
    [projectObject('web', { sourceRepos: [] }), 'projects, update'],
    [projectObject('new'), 'projects, create'],
    [labelled('r', 'repository', { url: repoURL }), 'repositories, create'],
    [labelled('w', 'repository-write', { url: repoURL }), 'write-repositories, create'],
    [labelled('c', 'cluster', { name: 'c', server: 'https://c' }), 'clusters, create'],
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm' }, data: {} }, 'settings, '],
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-rbac-cm' }, data: {} }, 'settings, '],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'argocd-secret' }, stringData: {} }, 'settings, '],
    [applicationObject({ name: 'x', project: 'api', repoURL, branch: 'b' }), 'applications, create'],
  ]
  for (const dryRun of [false, true]) {
    for (const [resource, right] of objects) {
      const rejection = (await rejectionOf(ann.resources.applyResource({ resource, dryRun }))) ?? 'done'
      assert.ok(
        rejection.startsWith(`PermissionDenied: permission denied: ${right}`),
        `${right}: ${rejection}`,
      )
    }
  }
})
