import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  CreateApplicationRequestSchema,
  GetManifestsRequestSchema,
  GetParametersRequestSchema,
  HydrateApplicationRequestSchema,
  SetParametersRequestSchema,
  UpdateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { GetGatesRequestSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { ApplyResourceRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import { storeProject } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { applyResource } from './apply-resource.ts'
import { changedApplicationRoutes } from './changed-applications.ts'
import { getGates } from './get-gates.ts'
import { getManifests } from './get-manifests.ts'
import { getParameters } from './get-parameters.ts'
import { setParameters } from './set-parameters.ts'

const server = 'https://kubernetes.default.svc'
const other = 'https://git.example.com/other.git'
const drySource = { repoURL, targetRevision: 'main', path: 'a' }

/** A project with few permissions. */
const narrow = {
  sourceRepos: [repoURL],
  sourceNamespaces: [],
  destinations: [{ server, namespace: 'shop' }],
}

function inTeam(spec: Parameters<typeof sampleApplication>[1] = {}): Resource {
  return sampleApplication('web', { project: 'team', ...spec })
}

const refused: [what: string, sent: Resource, message: string][] = [
  [
    'a dry source',
    inTeam({ sourceHydrator: { drySource: { ...drySource, repoURL: other } } }),
    `application repo ${other} is not permitted in project 'team'`,
  ],
  [
    'a repository to hydrate to',
    inTeam({ sourceHydrator: { syncSource: { repoURL: other, targetBranch: 'prod', path: 'a' } } }),
    `destination repo ${other} is not permitted in project 'team'`,
  ],
  [
    'a source',
    { ...inTeam(), spec: { project: 'team', source: { repoURL: other }, destination: { server } } },
    `application repo ${other} is not permitted in project 'team'`,
  ],
  [
    'one of several sources',
    {
      ...inTeam(),
      spec: { project: 'team', sources: [{ repoURL }, { repoURL: other }], destination: { server } },
    },
    `application repo ${other} is not permitted in project 'team'`,
  ],
  [
    'a destination by its server',
    inTeam({ destination: { server: 'https://prod', namespace: 'shop' } }),
    "destination https://prod namespace shop is not permitted in project 'team'",
  ],
  [
    'a destination by its name',
    inTeam({ destination: { name: 'production', namespace: 'shop' } }),
    "destination production namespace shop is not permitted in project 'team'",
  ],
  [
    'the namespace of a destination',
    inTeam({ destination: { server, namespace: 'kube-system' } }),
    `destination ${server} namespace kube-system is not permitted in project 'team'`,
  ],
  [
    'the namespace of the Application',
    { ...inTeam(), metadata: { name: 'web', namespace: 'tenant' } },
    "application namespace tenant is not permitted in project 'team'",
  ],
]

/** Every way to store an Application, of which none may get past the project. */
const writes: [path: string, write: (context: GatewayContext, application: Resource) => Promise<unknown>][] =
  [
    [
      'CreateApplication',
      (context, application) =>
        changedApplicationRoutes(context).createApplication(
          create(CreateApplicationRequestSchema, { application: toStruct(application), validate: true }),
          callContext(),
        ),
    ],
    [
      'CreateApplication with upsert',
      (context, application) =>
        changedApplicationRoutes(context).createApplication(
          create(CreateApplicationRequestSchema, { application: toStruct(application), upsert: true }),
          callContext(),
        ),
    ],
    [
      'UpdateApplication',
      (context, application) =>
        changedApplicationRoutes(context).updateApplication(
          create(UpdateApplicationRequestSchema, { application: toStruct(application), validate: true }),
          callContext(),
        ),
    ],
    ...[false, true].map((dryRun): (typeof writes)[number] => [
      dryRun ? 'a dry run of ApplyResource' : 'ApplyResource',
      (context, application) =>
        applyResource(context)(
          create(ApplyResourceRequestSchema, { resource: toStruct(application), dryRun }),
          callContext(),
        ),
    ]),
  ]

for (const [path, write] of writes) {
  test(`${path} stores and reaches nothing that the project does not permit`, async () => {
    await using fixture = await openGatewayFixture()
    const { context } = fixture
    await storeProject(context, 'team', narrow)
    for (const [what, sent, message] of refused) {
      const { namespace = '' } = sent.metadata
      if (path === 'UpdateApplication') await context.store.create({ ...inTeam(), metadata: sent.metadata })
      const before = await context.store.get('Application', namespace, 'web')
      await assert.rejects(write(context, sent), { name: 'PermissionDeniedError', message }, what)
      assert.deepEqual(await context.store.get('Application', namespace, 'web'), before, what)
      if (before) await context.store.delete('Application', namespace, 'web')
    }
    assert.deepEqual(fixture.calls, [])
  })

  test(`${path} refuses a project that does not exist`, async () => {
    await using fixture = await openGatewayFixture()
    await fixture.context.store.create(sampleApplication('web'))
    await assert.rejects(write(fixture.context, sampleApplication('web', { project: 'nowhere' })), {
      name: 'InvalidInputError',
      message: 'application references project nowhere which does not exist',
    })
  })
}

const uses: [rpc: string, use: (context: GatewayContext) => Promise<unknown>][] = [
  [
    'HydrateApplication',
    (context) =>
      changedApplicationRoutes(context).hydrateApplication(
        create(HydrateApplicationRequestSchema, { name: 'web' }),
        callContext(),
      ),
  ],
  [
    'SetParameters',
    (context) =>
      setParameters(context)(
        create(SetParametersRequestSchema, { name: 'web', changes: { removals: ['a'] } }),
        callContext(),
      ),
  ],
  [
    'GetParameters',
    (context) => getParameters(context)(create(GetParametersRequestSchema, { name: 'web' }), callContext()),
  ],
  ['GetGates', (context) => getGates(context)(create(GetGatesRequestSchema, { name: 'web' }), callContext())],
  [
    'GetManifests of a dry revision',
    (context) =>
      getManifests(context)(
        create(GetManifestsRequestSchema, { name: 'web', dryRevision: 'main' }),
        callContext(),
      ),
  ],
]

for (const [rpc, use] of uses) {
  test(`${rpc} reaches nothing for an Application that its project permits no longer`, async () => {
    await using fixture = await openGatewayFixture()
    const { context } = fixture
    await storeProject(context, 'team', { ...narrow, sourceRepos: [other] })
    const stored = await context.store.create(inTeam())
    await assert.rejects(use(context), {
      name: 'PermissionDeniedError',
      message: `application repo ${repoURL} is not permitted in project 'team'`,
    })
    assert.deepEqual(fixture.calls, [])
    assert.deepEqual(await context.store.get('Application', 'argocd', 'web'), stored)
  })
}

function clusterSecret(name: string, clusterServer: string, project = ''): Resource {
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'argocd', labels },
    stringData: { name, server: clusterServer, ...(project && { project }) },
  }
}

test('a destination is what its cluster is, whether the Application gives the name or the address', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeProject(context, 'team', { destinations: [{ server: 'https://east', namespace: '*' }] })
  for (const [name, address] of [
    ['east', 'https://east/'],
    ['west', 'https://west'],
  ] as const)
    await context.store.create(clusterSecret(name, address))
  const upsert = (destination: Record<string, string>) =>
    changedApplicationRoutes(context).createApplication(
      create(CreateApplicationRequestSchema, {
        application: toStruct(inTeam({ destination: { ...destination, namespace: 'shop' } })),
        upsert: true,
      }),
      callContext(),
    )
  assert.equal((await upsert({ name: 'east' })).outcome, 'created')
  assert.equal((await upsert({ server: 'https://east' })).outcome, 'updated')
  for (const destination of [{ name: 'west' }, { server: 'https://west' }, { name: 'unknown' }])
    await assert.rejects(upsert(destination), { name: 'PermissionDeniedError' })
})

test('a project that permits its own clusters alone refuses all others, in-cluster and unknown ones too', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeProject(context, 'team', { permitOnlyProjectScopedClusters: true })
  for (const [name, project] of [
    ['own', 'team'],
    ['theirs', 'other'],
    ['shared', ''],
  ] as const)
    await context.store.create(clusterSecret(name, `https://${name}`, project))
  const apply = (destination: Record<string, string>) =>
    applyResource(context)(
      create(ApplyResourceRequestSchema, {
        resource: toStruct(inTeam({ destination: { ...destination, namespace: 'shop' } })),
      }),
      callContext(),
    )
  assert.equal((await apply({ name: 'own' })).outcome, 'created')
  assert.equal((await apply({ server: 'https://own' })).outcome, 'configured')
  for (const destination of [
    { name: 'theirs' },
    { server: 'https://shared' },
    { server },
    { name: 'nowhere' },
  ]) {
    await assert.rejects(apply(destination), {
      name: 'PermissionDeniedError',
      message:
        /^destination \S+ namespace shop, which is not a cluster of the project's own, is not permitted/,
    })
  }
})
