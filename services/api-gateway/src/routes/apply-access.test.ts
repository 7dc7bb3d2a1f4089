import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type JsonObject } from '@bufbuild/protobuf'
import { ApplyResourceRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import { callBy, storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { applyResource } from './apply-resource.ts'

function apply(context: GatewayContext, resource: JsonObject, call = callContext(), dryRun = false) {
  return applyResource(context)(create(ApplyResourceRequestSchema, { resource, dryRun }), call)
}

function core(
  kind: string,
  name: string,
  rest: JsonObject = {},
  labels: Record<string, string> = {},
): JsonObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'argocd', labels }, ...rest }
}

function argo(kind: string, name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name, namespace: 'argocd' }, spec }
}

function cluster(name: string, server: string, project = ''): JsonObject {
  return core('Secret', name, { stringData: { name, server, project } }, { [secretTypeLabel]: 'cluster' })
}

/** The requests of each kind: the resource, the object, the first form and a changed one. */
const kinds: [resource: string, object: string, first: JsonObject, second: JsonObject][] = [
  [
    'applications',
    'default/web',
    toStruct(sampleApplication('web')),
    toStruct(sampleApplication('web', { syncPolicy: {} })),
  ],
  ['projects', 'dev', argo('AppProject', 'dev'), argo('AppProject', 'dev', { description: 'x' })],
  [
    'clusters',
    'dev/https://east',
    cluster('east', 'https://east', 'dev'),
    core(
      'Secret',
      'east',
      { stringData: { name: 'e', server: 'https://east', project: 'dev' } },
      {
        [secretTypeLabel]: 'cluster',
      },
    ),
  ],
  [
    'settings',
    'ConfigMap/argocd-cm',
    core('ConfigMap', 'argocd-cm', { data: { a: '1' } }),
    core('ConfigMap', 'argocd-cm', { data: { a: '2' } }),
  ],
  [
    'settings',
    'Secret/argocd-secret',
    core('Secret', 'argocd-secret', { stringData: { a: '1' } }),
    core('Secret', 'argocd-secret', { stringData: { a: '2' } }),
  ],
  [
    'settings',
    'Secret/forge',
    core('Secret', 'forge', { stringData: { token: '1' } }, { [secretTypeLabel]: 'scm-creds' }),
    core('Secret', 'forge', { stringData: { token: '2' } }, { [secretTypeLabel]: 'scm-creds' }),
  ],
  [
    'settings',
    'ConfigManagementPlugin/lisp',
    argo('ConfigManagementPlugin', 'lisp'),
    argo('ConfigManagementPlugin', 'lisp', { version: 'v1' }),
  ],
]

for (const [resource, object, first, second] of kinds) {
  test(`${object} is applied by who may create and update it in ${resource}`, async () => {
    await using fixture = await openGatewayFixture()
    const { context } = fixture
    const others = ['applications', 'projects', 'clusters', 'settings', 'repositories'].filter(
      (name) => name !== resource,
    )
    await storePolicy(
      context,
      ...['get', 'create'].map((action) => `p, creator, ${resource}, ${action}, ${object}, allow`),
      ...['get', 'update'].map((action) => `p, editor, ${resource}, ${action}, ${object}, allow`),
      ...others.map((other) => `p, other, ${other}, *, *, allow`),
    )
    const denied = (user: string, action: string) => ({
      name: 'PermissionDeniedError',
      message: `permission denied: ${resource}, ${action}, ${object}, sub: ${user}`,
    })
    const { kind, metadata } = first as unknown as Resource
    const stored = () => context.store.get(kind, 'argocd', metadata.name)
    for (const user of ['editor', 'other']) {
      await assert.rejects(apply(context, first, callBy(user)), denied(user, 'create'))
      await assert.rejects(apply(context, first, callBy(user), true), denied(user, 'create'))
    }
    assert.equal(await stored(), undefined)
    assert.equal((await apply(context, first, callBy('creator'))).outcome, 'created')
    const before = await stored()
    await assert.rejects(apply(context, second, callBy('creator')), denied('creator', 'update'))
    // What may not be seen is refused as if it were new.
    await assert.rejects(apply(context, second, callBy('other')), denied('other', 'create'))
    assert.deepEqual(await stored(), before)
    assert.equal((await apply(context, second, callBy('editor'))).outcome, 'configured')
    assert.notDeepEqual(await stored(), before)
  })
}

test('an object becomes one of another resource only for who may change what it was and create what it will be', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(context, 'p, ada, clusters, *, *, allow', 'p, bob, settings, *, *, allow')
  await apply(context, core('Secret', 'plain', { stringData: { key: 'v' } }))
  await apply(context, cluster('east', 'https://east'))
  await assert.rejects(apply(context, cluster('plain', 'https://new'), callBy('ada')), {
    message: 'permission denied: clusters, create, https://new, sub: ada',
  })
  await assert.rejects(apply(context, core('Secret', 'east'), callBy('bob')), {
    message: 'permission denied: settings, create, Secret/east, sub: bob',
  })
  await assert.rejects(apply(context, cluster('east', 'https://other'), callBy('bob')), {
    name: 'PermissionDeniedError',
  })
})

test('settings may be changed by who may not read them, and outside of their namespace they have another name', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(
    context,
    'p, ada, settings, update, Secret/*, allow',
    'p, bob, settings, *, Secret/s, allow',
  )
  await apply(context, core('Secret', 's', { stringData: { key: 'v' } }))
  const changed = core('Secret', 's', { stringData: { key: 'w' } })
  assert.equal((await apply(context, changed, callBy('ada'))).outcome, 'configured')
  const elsewhere = { ...changed, metadata: { name: 's', namespace: 'team' } }
  await assert.rejects(apply(context, elsewhere, callBy('bob')), {
    message: 'permission denied: settings, create, Secret/team/s, sub: bob',
  })
})

test('what the gateway keeps for itself is applied by nobody, whatever it is called', async () => {
  await using fixture = await openGatewayFixture()
  for (const name of ['wadi-session-keys', 'wadi-revoked-tokens']) {
    for (const [kind, sent] of [
      ['Secret', core('Secret', name, { stringData: { a: 'b' } })],
      ['ConfigMap', core('ConfigMap', name)],
      ['Secret', cluster(name, 'https://east')],
      ['Secret', core('Secret', name, {}, { [secretTypeLabel]: 'repository' })],
    ] as const) {
      await assert.rejects(apply(fixture.context, sent), {
        name: 'InvalidInputError',
        message: `${kind} ${name} is written by the gateway alone`,
      })
    }
  }
  assert.deepEqual(fixture.calls, [])
})

test('the Secret with the passwords is never made as a cluster, which takes no right to settings', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(context, 'p, ada, clusters, *, dev/*, allow')
  const secret = cluster('argocd-secret', 'https://east', 'dev')
  for (const call of [callBy('ada'), callContext()]) {
    await assert.rejects(apply(context, secret, call), {
      name: 'InvalidInputError',
      message: "Secret argocd-secret cannot be a cluster's",
    })
  }
  assert.equal(await context.store.get('Secret', 'argocd', 'argocd-secret'), undefined)
})

test('a policy that cannot be read is refused with each of its errors, and the stored one stays', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(context, 'p, ada, applications, get, */*, allow')
  const broken = core('ConfigMap', 'argocd-rbac-cm', {
    data: { 'policy.csv': 'p, a, applications, get, */*, allow\np, too, short\nx, y, z', scopes: '{' },
  })
  for (const dryRun of [true, false]) {
    await assert.rejects(apply(context, broken, callContext(), dryRun), (error: Error) => {
      assert.equal(error.name, 'InvalidInputError')
      assert.match(error.message, /^argocd-rbac-cm policy\.csv:2: /mu)
      assert.match(error.message, /^argocd-rbac-cm policy\.csv:3: /mu)
      assert.match(error.message, /^argocd-rbac-cm scopes:1: /mu)
      return true
    })
  }
  const stored = await context.store.get('ConfigMap', 'argocd', 'argocd-rbac-cm')
  assert.deepEqual(stored?.data, { 'policy.csv': 'p, ada, applications, get, */*, allow' })
})

test('a project with roles that its API refuses, or outside of the control plane, is refused', async () => {
  await using fixture = await openGatewayFixture()
  const roles = [{ name: 'ci', policies: ['p, proj:prod:ci, applications, *, prod/*, allow'] }]
  await assert.rejects(apply(fixture.context, argo('AppProject', 'dev', { roles })), {
    name: 'InvalidInputError',
    message: /^AppProject dev: spec\.roles\[0\]\.policies\[0\]: the subject must be proj:dev:ci/,
  })
  const elsewhere = { ...argo('AppProject', 'dev'), metadata: { name: 'dev', namespace: 'team' } }
  await assert.rejects(apply(fixture.context, elsewhere), {
    name: 'InvalidInputError',
    message: 'AppProject dev: metadata.namespace must be argocd, where Wadi reads projects',
  })
})

test('the tokens of a project that is applied are those that are stored', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const token = { iat: 1_700_000_000, id: 'real' }
  await storeProject(context, 'dev', { roles: [{ name: 'ci', jwtTokens: [token] }, { name: 'old' }] })
  const forged = { iat: 1_800_000_000, id: 'forged' }
  const roles = ['ci', 'new'].map((name) => ({ name, jwtTokens: [forged] }))
  await apply(context, argo('AppProject', 'dev', { roles }))
  const stored = await context.store.get('AppProject', 'argocd', 'dev')
  assert.deepEqual(stored?.spec?.['roles'], [{ name: 'ci', jwtTokens: [token] }, { name: 'new' }])
  await apply(context, argo('AppProject', 'fresh', { roles }))
  const fresh = await context.store.get('AppProject', 'argocd', 'fresh')
  assert.deepEqual(fresh?.spec?.['roles'], [{ name: 'ci' }, { name: 'new' }])
})

test('repository credentials are applied by who may store them, and never over those of another repository', async () => {
  const url = 'https://git.example.com/platform.git'
  await using fixture = await openGatewayFixture({
    repoServer: {
      listRepositories: () => ({ repositories: [{ repoUrl: url, project: 'dev' }] }),
      putRepository: () => ({}),
    },
  })
  const { context } = fixture
  await storePolicy(
    context,
    ...['get', 'update'].map((action) => `p, ada, repositories, ${action}, dev/*, allow`),
    'p, bob, repositories, create, bob/*, allow',
  )
  const stored = () => fixture.requests.findLast((request) => 'secretJson' in request)
  const secret = (project: string) =>
    core('Secret', 'platform', { stringData: { url, project } }, { [secretTypeLabel]: 'repository' })
  await assert.rejects(apply(context, secret('dev'), callBy('bob')), {
    message: `permission denied: repositories, create, dev/${url}, sub: bob`,
  })
  assert.equal((await apply(context, secret('dev'), callBy('ada'))).outcome, 'configured')
  assert.equal(stored()?.['upsert'], true)
  await apply(context, secret('bob'), callBy('bob'))
  // The Secret's name may be that of another repository: its keeper refuses then.
  assert.equal(stored()?.['upsert'], false)
})

test('an ApplicationSet goes to appset-service as it came, on behalf of the caller', async () => {
  const applicationSet = { metadata: { name: 'set', uid: 'u' } }
  const answer = { outcome: 'updated' }
  await using fixture = await openGatewayFixture({
    applicationSets: { applyApplicationSet: () => ({ applicationSet, ...answer }) },
  })
  const sent = { ...argo('ApplicationSet', 'set', { generators: [] }), status: { own: true } }
  for (const [outcome, expected] of [
    ['created', 'created'],
    ['updated', 'configured'],
    ['unchanged', 'unchanged'],
  ] as const) {
    answer.outcome = outcome
    const { resource, outcome: reported } = await apply(fixture.context, sent, callBy('ada'), true)
    assert.deepEqual([resource, reported], [applicationSet, expected])
  }
  assert.deepEqual(fixture.requests[0], {
    applicationSet: sent,
    upsert: true,
    dryRun: true,
    confirmDeletions: false,
    reviewedPlan: '',
    version: '',
  })
  assert.equal(await fixture.context.store.get('ApplicationSet', 'argocd', 'set'), undefined)
})

test('without appset-service an ApplicationSet is refused with the reason', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  context.applicationSets.applyApplicationSet = () => Promise.reject(new UnavailableError('nobody answers'))
  await assert.rejects(apply(context, argo('ApplicationSet', 'set')), {
    name: 'FailedPreconditionError',
    message: /^ApplicationSets are not available: appset-service is not installed/,
  })
})
