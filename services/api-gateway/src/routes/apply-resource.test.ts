import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { ApplyResourceRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { toStruct } from '../applications/read-application.ts'
import {
  callContext,
  type GatewayFixture,
  openGatewayFixture,
  sampleApplication,
} from '../gateway-fixture.ts'
import { storeProject } from '../authorization/policy-fixture.ts'
import { applyResource } from './apply-resource.ts'

const password = 'hunter2-hunter2'

function apply({ context }: GatewayFixture, resource: JsonObject, dryRun = false) {
  return applyResource(context)(create(ApplyResourceRequestSchema, { resource, dryRun }), callContext())
}

const nothing = { repositories: [] }
const storing = {
  repoServer: { putRepository: () => ({}), listRepositories: () => nothing },
  commitServer: { putRepository: () => ({}), listRepositories: () => nothing },
}

function repositorySecret(type: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'platform', labels: { [secretTypeLabel]: type } },
    stringData: { url: 'https://git.example.com/platform.git', password },
  }
}

test('an Application is created, then unchanged, then configured', async () => {
  await using fixture = await openGatewayFixture()
  await storeProject(fixture.context, 'shop')
  const outcomes = []
  for (const project of ['default', 'default', 'shop']) {
    const { outcome, resource } = await apply(fixture, toStruct(sampleApplication('web', { project })))
    assert.equal((resource['spec'] as JsonObject)['project'], project)
    outcomes.push(outcome)
  }
  assert.deepEqual(outcomes, ['created', 'unchanged', 'configured'])
})

test('an invalid Application, AppProject or unknown kind is refused, in a dry run too, and nothing is stored', async () => {
  await using fixture = await openGatewayFixture()
  const metadata = { name: 'web' }
  const invalid: JsonObject[] = [
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec: { sourceHydrator: {} } },
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec: { sourceRepos: 'all' } },
    { apiVersion: 'v1', kind: 'Pod', metadata },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Not_A_Name' } },
  ]
  for (const resource of invalid) {
    for (const dryRun of [true, false])
      await assert.rejects(
        apply(fixture, resource, dryRun),
        { name: 'InvalidInputError' },
        JSON.stringify(resource),
      )
  }
  for (const kind of ['Application', 'AppProject', 'ConfigMap'])
    assert.deepEqual((await fixture.context.store.list(kind)).items, [])
})

test('a dry run returns what would happen and stores nothing', async () => {
  await using fixture = await openGatewayFixture()
  const { outcome } = await apply(fixture, toStruct(sampleApplication('web')), true)
  assert.equal(outcome, 'created')
  assert.equal(await fixture.context.store.get('Application', 'argocd', 'web'), undefined)
})

const readOwner = ['RepoServerService/ListRepositories', 'RepoServerService/PutRepository']
const writeOwner = ['CommitServerService/ListRepositories', 'CommitServerService/PutRepository']
const owners = {
  repository: readOwner,
  'repo-creds': readOwner,
  'repository-write': writeOwner,
  'repo-write-creds': writeOwner,
}

for (const [type, calls] of Object.entries(owners)) {
  test(`a Secret of type ${type} goes to its owner alone, and the answer has no values`, async () => {
    await using fixture = await openGatewayFixture(storing)
    const answer = await apply(fixture, repositorySecret(type))
    // The hydrator is asked to look again without a wait for it.
    assert.deepEqual(
      fixture.calls.filter((call) => call !== 'HydratorService/PollNow'),
      calls,
    )
    const [, { secretJson, upsert, skipValidation } = {}] = fixture.requests
    assert.deepEqual([upsert, skipValidation], [false, true])
    assert.equal(JSON.parse(String(secretJson)).stringData.password, password)
    assert.equal(answer.outcome, 'configured')
    assert.deepEqual(answer.resource['metadata'], {
      name: 'platform',
      namespace: 'argocd',
      labels: { [secretTypeLabel]: type },
    })
    assert.ok(!JSON.stringify(answer).includes(password))
    assert.equal(await fixture.context.store.get('Secret', 'argocd', 'platform'), undefined)
    assert.ok(!fixture.lines.join('').includes(password))
  })
}

test('a dry run of a repository Secret checks it and stores it nowhere', async () => {
  await using fixture = await openGatewayFixture(storing)
  assert.equal((await apply(fixture, repositorySecret('repository'), true)).outcome, 'configured')
  const wrong = { ...repositorySecret('repository-write'), stringData: { passwort: password } }
  for (const [secret, message] of [
    [wrong, 'Secret platform: url is required'],
    [repositorySecret('clusters'), /^Secret platform: label .* is "clusters"; repository, repo-creds/],
  ] as const) {
    await assert.rejects(apply(fixture, secret, true), { name: 'InvalidInputError', message })
    await assert.rejects(apply(fixture, secret), { name: 'InvalidInputError', message })
  }
  assert.deepEqual(fixture.calls, ['RepoServerService/ListRepositories'])
})

test('a repository Secret with fields of a newer Argo CD is stored, and they are named without their values', async () => {
  await using fixture = await openGatewayFixture(storing)
  const stringData = {
    url: 'oci://registry.example.com/charts',
    enableLfs: 'true',
    fromArgoCD4: password,
  }
  const answer = await apply(fixture, { ...repositorySecret('repository'), stringData })
  assert.equal(answer.outcome, 'configured')
  const [unknown = '', ...rest] = answer.warnings ?? []
  assert.match(unknown, /^unknown field fromArgoCD4; expected one of url, /)
  assert.ok(!unknown.includes(password))
  assert.deepEqual(rest, [
    'enableLfs has no effect: files of Git LFS are not fetched, and renderers see their pointers',
  ])
})

test('what the owner of the credentials refuses is refused', async () => {
  await using fixture = await openGatewayFixture({
    commitServer: {
      listRepositories: () => nothing,
      putRepository: () => {
        throw new ConnectError('Secret platform is stored already for https://hidden', Code.AlreadyExists)
      },
    },
  })
  await assert.rejects(apply(fixture, repositorySecret('repository-write')), {
    name: 'AlreadyExistsError',
    message: 'Secret platform holds another repository; choose another name, or delete that repository first',
  })
})

test('any other Secret is stored, and no answer has its values', async () => {
  await using fixture = await openGatewayFixture()
  const text = JSON.stringify({ stringData: { 'webhook.github.secret': password } })
  const secret = (value: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    // kubectl keeps what it applied, values included.
    metadata: {
      name: 'argocd-secret',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': text, note: 'kept' },
    },
    stringData: { 'webhook.github.secret': value },
  })
  const encoded = Buffer.from(password).toString('base64')
  for (const [value, dryRun, expected] of [
    [password, true, 'created'],
    [password, false, 'created'],
    [password, false, 'unchanged'],
    [`${password}-2`, true, 'configured'],
    [`${password}-2`, false, 'configured'],
  ] as const) {
    const answer = await apply(fixture, secret(value), dryRun)
    assert.equal(answer.outcome, expected)
    assert.equal(answer.resource['type'], 'Opaque')
    assert.ok(!JSON.stringify(answer).includes(password), expected)
    assert.ok(!JSON.stringify(answer).includes(encoded.slice(0, -4)), expected)
  }
  const stored = await fixture.context.store.get('Secret', 'argocd', 'argocd-secret')
  assert.equal(
    Buffer.from(stored?.data?.['webhook.github.secret'] ?? '', 'base64').toString(),
    `${password}-2`,
  )
  assert.deepEqual(fixture.calls, [])
})

test('the Secret of a cluster is stored for generators, and the answer has no values', async () => {
  await using fixture = await openGatewayFixture()
  const labels = { [secretTypeLabel]: 'cluster', env: 'prod' }
  const stringData = {
    name: 'east',
    server: 'https://east',
    config: JSON.stringify({ bearerToken: password }),
  }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'east', labels }, stringData }
  const answer = await apply(fixture, secret)
  assert.equal(answer.outcome, 'created')
  assert.ok(!('data' in answer.resource) && !JSON.stringify(answer).includes(password))
  const stored = await fixture.context.store.get('Secret', 'argocd', 'east')
  assert.deepEqual(stored?.metadata.labels, labels)
  assert.equal(Buffer.from(stored?.data?.['server'] ?? '', 'base64').toString(), 'https://east')
  assert.deepEqual(fixture.calls, [])
})
