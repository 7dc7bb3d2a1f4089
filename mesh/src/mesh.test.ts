import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { type Mesh, startMesh } from './mesh.ts'
import { openScratch } from './mesh-scratch-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

async function runDirectories(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('wadi-run-'))
}

function start(dataDirectory: string): Promise<Mesh> {
  return startMesh({
    dataDirectory,
    listen: '127.0.0.1:0',
    environment: {
      WADI_LOG_LEVEL: 'error',
      WADI_IDLE_GRACE: '0s',
      WADI_POLL_INTERVAL: '1h',
      WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
  })
}

function connect({ address, adminToken }: Mesh) {
  const transport = createConnectTransport({
    baseUrl: address,
    httpVersion: '1.1',
    interceptors: [
      (next) => (request) => {
        request.header.set('authorization', `Bearer ${adminToken}`)
        return next(request)
      },
    ],
  })
  return {
    applications: createClient(ApplicationService, transport),
    applicationSets: createClient(ApplicationSetService, transport),
    repositories: createClient(RepositoryService, transport),
    resources: createClient(ResourceService, transport),
  }
}

type Applications = ReturnType<typeof connect>['applications']

/** Waits for the newest state of an Application to match. */
async function waitFor(applications: Applications, name: string, state: RegExp): Promise<void> {
  const call = new AbortController()
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(hangLimitMs)])
  try {
    for await (const { application } of applications.watchApplications({ name }, { signal, timeoutMs: 0 })) {
      if (state.test(JSON.stringify(application?.['status']))) return
    }
  } finally {
    call.abort()
  }
}

test('a mesh hydrates an Application from a git server with a password to a branch that it pushes', async (t) => {
  const { data, dry } = await openScratch(t)
  await using server = await startGitHttpServer({ users: { wadi: 'pass' } })
  const { url, directory } = await server.createRepository('deploy.git')
  const source = await createRepository(dry)
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n'
  const drySha = await source.commitFiles({ 'apps/web/web.yaml': manifest }, 'Add the web')
  await source.git.push([directory, 'HEAD:main'])

  await using mesh = await start(data)
  const { applications, repositories } = connect(mesh)
  const credentials = { repoUrl: url, username: 'wadi', password: 'pass' }
  const { repository } = await repositories.createRepository(credentials)
  assert.equal(repository?.reachable, true)
  await repositories.createRepository({ ...credentials, write: true })
  const application = {
    metadata: { name: 'web' },
    spec: {
      destination: { server: 'https://kubernetes.default.svc' },
      sourceHydrator: {
        drySource: { repoURL: url, targetRevision: 'main', path: 'apps/web' },
        syncSource: { targetBranch: 'environments/prod', path: 'web' },
        hydrateTo: { targetBranch: 'environments/prod-next' },
      },
    },
  }
  await applications.createApplication({ application, validate: true })
  await waitFor(applications, 'web', new RegExp(`"phase":"Hydrated".*"drySHA":"${drySha}"`))

  const got = await applications.getApplication({ name: 'web' })
  const { syncDrySha, hydrateToDrySha, promotion } = got.branches ?? {}
  assert.deepEqual([syncDrySha, hydrateToDrySha, promotion], ['', drySha, 'Waiting'])
  const hydrated = await applications.getManifests({ name: 'web' })
  assert.deepEqual([hydrated.manifest, hydrated.drySha], [manifest, drySha])
  const { entries } = await applications.listHistory({ name: 'web' })
  assert.deepEqual(
    entries.map((entry) => [entry.hydratedSha, entry.drySha]),
    [[hydrated.hydratedSha, drySha]],
  )

  await source.git.fetch([directory, 'environments/prod-next'])
  await source.git.push([directory, 'FETCH_HEAD:refs/heads/environments/prod'])
  const promoted = (await applications.getApplication({ name: 'web' })).branches
  assert.deepEqual([promoted?.syncDrySha, promoted?.promotion], [drySha, 'Promoted'])
})

test('a mesh generates Applications from its clusters and from a git server', async (t) => {
  const { data, dry } = await openScratch(t)
  await using server = await startGitHttpServer()
  const { url, directory } = await server.createRepository('deploy.git')
  const source = await createRepository(dry)
  await source.commitFiles({ 'apps/web/a.yaml': '', 'apps/api/a.yaml': '' }, 'Add two applications')
  await source.git.push([directory, 'HEAD:main'])

  await using mesh = await start(data)
  const { applicationSets, resources } = connect(mesh)
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' }
  const stringData = { name: 'east', server: 'https://east' }
  const resource = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cluster-east', labels },
    stringData,
  }
  await resources.applyResource({ resource })
  const generators = [
    { clusters: { selector: { matchLabels: labels } } },
    { git: { repoURL: url, revision: 'main', directories: [{ path: 'apps/*' }] } },
  ]
  const { applications } = await applicationSets.generateApplications({
    applicationSet: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'all' },
      spec: {
        generators: [{ matrix: { generators } }],
        template: {
          metadata: { name: '{{name}}-{{path.basename}}' },
          spec: { project: 'default', destination: { server: '{{server}}', namespace: '{{path}}' } },
        },
      },
    },
  })
  assert.deepEqual(
    applications.map(({ metadata, spec }) => [Object(metadata).name, Object(spec).destination]),
    [
      ['east-api', { server: 'https://east', namespace: 'apps/api' }],
      ['east-web', { server: 'https://east', namespace: 'apps/web' }],
    ],
  )
})

test('what one mesh stored the next one has, under a new token, and the sockets are gone in between', async (t) => {
  const { data, sockets } = await openScratch(t)
  const tokens = []
  const application = {
    metadata: { name: 'web' },
    spec: { destination: { server: 'https://kubernetes.default.svc' } },
  }
  {
    await using mesh = await start(data)
    tokens.push(mesh.adminToken)
    await connect(mesh).applications.createApplication({ application })
    const [run = ''] = await runDirectories(sockets)
    const services = ['appset-service.sock', 'commit-server.sock', 'hydrator.sock', 'repo-server.sock']
    const found = await readdir(join(sockets, run))
    assert.deepEqual(found.filter((name) => services.includes(name)).toSorted(), services)
  }
  assert.deepEqual(await runDirectories(sockets), [])
  await using mesh = await start(data)
  tokens.push(mesh.adminToken)
  const { applications } = await connect(mesh).applications.listApplications({})
  assert.equal(applications.length, 1)
  assert.equal(new Set(tokens).size, 2)
})

test('a second mesh on the same data is refused and leaves the first one alone', async (t) => {
  const { data, sockets } = await openScratch(t)
  await using mesh = await start(data)
  await assert.rejects(start(data), { name: 'FailedPreconditionError' })
  assert.equal((await runDirectories(sockets)).length, 1)
  assert.deepEqual((await connect(mesh).applications.listApplications({})).applications, [])
})

test('a mesh that cannot start leaves nothing behind and lets go of its data', async (t) => {
  const { data, sockets } = await openScratch(t)
  await using mesh = await start(data)
  const taken = new URL(mesh.address).host
  const other = `${data}-2`
  const options = { dataDirectory: other, listen: taken, environment: { WADI_LOG_LEVEL: 'error' } }
  await assert.rejects(startMesh(options), { code: 'EADDRINUSE' })
  await assert.rejects(startMesh({ ...options, listen: '99999' }), /expected host:port/)
  assert.ok(!existsSync(other), 'an address that cannot be had is refused before anything starts')
  const late = { ...options, listen: '127.0.0.1:0' }
  const environment = { ...options.environment, WADI_METRICS_LISTEN: taken }
  await assert.rejects(startMesh({ ...late, environment }), { code: 'EADDRINUSE' })
  assert.equal((await runDirectories(sockets)).length, 1)
  assert.ok(existsSync(other))
  await using again = await start(other)
  assert.notEqual(again.address, mesh.address)
})
