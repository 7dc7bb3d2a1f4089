import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { inCluster, usersMeshOfFile } from '../access/users-fixture.ts'
import { applicationObject, configMap, projectObject } from '../application-fixture.ts'
import { rejectionOf } from '../application-sets/set-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const repository = await mesh.fixture.createRepository('web-own', { 'app/a.yaml': configMap('a', '1') })
await ann.applications.createApplication({ application: application() })

function application(project = 'web'): JsonObject {
  return applicationObject({ name: 'app', project, repoURL: repository.url, branch: 'environments/web' })
}

/** Every RPC that acts on an Application, or shows what is in its repository. */
const actions: [name: string, act: (user: GatewayClient) => Promise<unknown>][] = [
  [
    'CreateApplication',
    (user) => user.applications.createApplication({ application: application(), upsert: true }),
  ],
  ['UpdateApplication', (user) => user.applications.updateApplication({ application: application() })],
  ['ApplyApplications', (user) => user.applications.applyApplications({ applications: [application()] })],
  ['ApplyResource', (user) => user.resources.applyResource({ resource: application() })],
  ['HydrateApplication', (user) => user.applications.hydrateApplication({ name: 'app' })],
  [
    'GetApplication with a refresh',
    (user) => user.applications.getApplication({ name: 'app', refresh: 'hard' }),
  ],
  ['GetManifests', (user) => user.applications.getManifests({ name: 'app', dryRevision: 'main' })],
  ['GetParameters', (user) => user.applications.getParameters({ name: 'app' })],
  [
    'SetParameters',
    (user) =>
      user.applications.setParameters({
        name: 'app',
        changes: { assignments: [{ target: 'a', value: 'b' }] },
      }),
  ],
]

for (const [name, act] of actions) {
  test(`${name} asks the project as it is now, of users and of the operator`, async () => {
    for (const spec of [
      { sourceRepos: ['https://git.example.com/*'] },
      { destinations: [{ server: 'https://elsewhere', namespace: '*' }] },
    ]) {
      await mesh.admin.resources.applyResource({ resource: projectObject('web', spec) })
      for (const user of [ann, mesh.admin]) {
        assert.match(
          (await rejectionOf(act(user))) ?? 'done',
          /^PermissionDenied: .*is not permitted in project 'web'/s,
        )
      }
    }
    await mesh.admin.resources.applyResource({ resource: projectObject('web') })
  })
}

test('an Application that was moved to another project is nothing that its former users may act on', async () => {
  await mesh.admin.applications.updateApplication({ application: application('api') })
  for (const [name, act] of actions) {
    assert.match((await rejectionOf(act(ann))) ?? 'done', /^(?:NotFound|PermissionDenied): /, name)
  }
  await mesh.admin.applications.updateApplication({ application: application() })
})

test('a project that Applications belong to is not deleted, and one that does not exist permits nothing', async () => {
  assert.match(
    (await rejectionOf(mesh.admin.projects.deleteProject({ name: 'web' }))) ?? '',
    /^FailedPrecondition: /,
  )
  const orphan = applicationObject({
    name: 'orphan',
    project: 'gone',
    repoURL: repository.url,
    branch: 'environments/web',
    namespace: inCluster,
  })
  for (const write of [
    mesh.admin.applications.createApplication({ application: orphan }),
    mesh.admin.applications.applyApplications({ applications: [orphan] }),
    mesh.admin.resources.applyResource({ resource: orphan }),
  ]) {
    assert.match((await rejectionOf(write)) ?? '', /^InvalidArgument: .*project gone which does not exist/s)
  }
})
