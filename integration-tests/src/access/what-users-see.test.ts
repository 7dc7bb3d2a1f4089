import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import {
  applicationNames,
  metadataOf,
  namesGenerator,
  rejectionOf,
  setObject,
} from '../application-sets/set-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'
import { inCluster, usersMeshOfFile } from './users-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const bob = await mesh.connectAs('bob')
for (const [user, project] of [
  [ann, 'web'],
  [bob, 'api'],
] as const) {
  const generators = [namesGenerator(`${project}-1`, `${project}-2`)]
  const applicationSet = setObject({ name: `${project}-set`, generators, project })
  await user.applicationSets.applyApplicationSet({ applicationSet })
  const cluster = { name: `${project}-cluster`, server: `https://${project}.example.com`, project }
  await mesh.admin.clusters.createCluster({ cluster })
  const repoUrl = `${mesh.git.server.url}/${project}-own.git`
  await mesh.admin.repositories.createRepository({ repoUrl, project, skipValidation: true })
}

/** The names of everything that a user lists. */
async function listed(user: GatewayClient): Promise<Record<string, string[]>> {
  const nameOf = (object: JsonObject) => metadataOf(object).name
  return {
    applications: await applicationNames(user),
    sets: (await user.applicationSets.listApplicationSets({})).applicationSets.map(nameOf),
    projects: (await user.projects.listProjects({})).projects.map(nameOf),
    clusters: (await user.clusters.listClusters({})).clusters.map(({ name }) => name),
    repositories: (await user.repositories.listRepositories({})).repositories.map(({ repoUrl }) =>
      repoUrl.replace(mesh.git.server.url, ''),
    ),
  }
}

test('each user lists what belongs to the own project, and the operator everything', async () => {
  assert.deepEqual(await listed(ann), {
    applications: ['web-1', 'web-2'],
    sets: ['web-set'],
    projects: ['web'],
    clusters: ['in-cluster', 'web-cluster'],
    repositories: ['/web-own.git'],
  })
  assert.deepEqual(await listed(bob), {
    applications: ['api-1', 'api-2'],
    sets: ['api-set'],
    projects: ['api'],
    clusters: ['api-cluster', 'in-cluster'],
    repositories: ['/api-own.git'],
  })
  assert.deepEqual(await listed(mesh.admin), {
    applications: ['api-1', 'api-2', 'web-1', 'web-2'],
    sets: ['api-set', 'web-set'],
    projects: ['api', 'default', 'web'],
    clusters: ['api-cluster', 'in-cluster', 'web-cluster'],
    repositories: ['', '/api-own.git', '/web-own.git'],
  })
})

test('what another user has is answered as what nobody has', async () => {
  const asked: [string, string, (name: string) => Promise<unknown>][] = [
    ['web-1', 'nobodys', (name) => bob.applications.getApplication({ name })],
    ['web-1', 'nobodys', (name) => bob.applications.hydrateApplication({ name })],
    ['web-1', 'nobodys', (name) => bob.applications.deleteApplication({ name })],
    ['web-1', 'nobodys', (name) => bob.applications.getManifests({ name })],
    ['web-set', 'nobodys', (name) => bob.applicationSets.getApplicationSet({ name })],
    ['web-set', 'nobodys', (name) => bob.applicationSets.refreshApplicationSet({ name })],
    ['web-set', 'nobodys', (name) => bob.applicationSets.deleteApplicationSet({ name })],
    ['web', 'nobodys', (name) => bob.projects.getProject({ name })],
    ['web', 'nobodys', (name) => bob.projects.deleteProject({ name })],
    ['web-cluster', 'nobodys', (cluster) => bob.clusters.getCluster({ cluster })],
    ['https://web.example.com', 'https://nobodys', (cluster) => bob.clusters.deleteCluster({ cluster })],
  ]
  for (const [hidden, missing, call] of asked) {
    const rejection = (await rejectionOf(call(hidden))) ?? ''
    assert.match(rejection, /^NotFound: /, hidden)
    assert.equal(rejection.replaceAll(hidden, missing), await rejectionOf(call(missing)))
  }
  const repoUrl = `${mesh.git.server.url}/web-own.git`
  assert.match(
    (await rejectionOf(bob.repositories.deleteRepository({ repoUrl, project: 'web' }))) ?? '',
    /^NotFound: /,
  )
  assert.deepEqual((await listed(ann))['sets'], ['web-set'])
  assert.deepEqual((await listed(ann))['repositories'], ['/web-own.git'])
})

test('a watch delivers a user only the own Applications and sets', async () => {
  const end = new AbortController()
  const { signal } = end
  const seen: string[] = []
  const both = Promise.withResolvers<void>()
  const see = (object: JsonObject | undefined) => {
    seen.push(metadataOf(object).name)
    if (seen.includes('bob-last') && seen.includes('api-last')) both.resolve()
  }
  const applications = (async () => {
    const watch = bob.applications.watchApplications({}, { signal, timeoutMs: 0 })
    for await (const { application } of watch) see(application)
  })()
  const sets = (async () => {
    const watch = bob.applicationSets.watchApplicationSets({}, { signal, timeoutMs: 0 })
    for await (const { applicationSet } of watch) see(applicationSet)
  })()
  const ended = Promise.allSettled([applications, sets])
  await ann.applicationSets.applyApplicationSet({
    applicationSet: setObject({ name: 'ann-first', generators: [namesGenerator('web-first')] }),
  })
  await bob.applicationSets.applyApplicationSet({
    applicationSet: setObject({
      name: 'bob-last',
      project: 'api',
      generators: [namesGenerator('api-last')],
    }),
  })
  await Promise.race([both.promise, ended])
  end.abort()
  await ended
  assert.deepEqual([...new Set(seen)].toSorted(), ['api-1', 'api-2', 'api-last', 'api-set', 'bob-last'])
})

test('the accounts are those who one may see, and everybody sees what they may do', async () => {
  assert.deepEqual(
    (await ann.accounts.listAccounts({})).items.map(({ name }) => name),
    ['ann'],
  )
  const asked = [
    ['applications', 'sync', 'web/web-1', 'yes'],
    ['applications', 'sync', 'api/api-1', 'no'],
    ['applications', 'get', 'api/api-1', 'no'],
    ['clusters', 'get', inCluster, 'yes'],
    ['projects', 'update', 'web', 'no'],
  ] as const
  for (const [resource, action, subresource, expected] of asked) {
    const { value } = await ann.accounts.canI({ resource, action, subresource })
    assert.equal(value, expected, `${resource} ${action} ${subresource}`)
  }
})

test('without a token nothing is seen', async () => {
  const nobody = mesh.connect('')
  for (const rejection of [
    nobody.applications.listApplications({}),
    nobody.applicationSets.listApplicationSets({}),
    nobody.projects.listProjects({}),
    nobody.clusters.listClusters({}),
    nobody.repositories.listRepositories({}),
    nobody.accounts.listAccounts({}),
  ].map(rejectionOf)) {
    assert.equal(await rejection, 'Unauthenticated: no session information')
  }
})
