import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'
import { KnownFields, wireMessage } from '../plugin-protocol/protobuf-wire-fixture.ts'
import { readApplication, readResourceDiff } from './application-messages-fixture.ts'
import { nativeConnection } from './command-line-fixture.ts'

const secret = (value: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: { name: web }\nstringData: { password: ${value} }\n`

const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('deploy', {
  'web/config.yaml': configMap('web', 'one'),
  'web/secret.yaml': secret('first-secret'),
})
const sha = await repository.head('main')
await mesh.fixture.applyAndWait(sha, { name: 'web', repoURL: repository.url, branch: 'environments/dev' })

async function call(method: string, request: Buffer): Promise<Buffer> {
  using connection = nativeConnection(mesh.address, mesh.token)
  return await connection.call(`/application.ApplicationService/${method}`, request)
}

test('an Application is in sync and has its hydrated commit in the history', async () => {
  const { sync, health, conditions, history } = readApplication(
    await call('Get', wireMessage([1, 'web'], [7, ''])),
  )
  const head = await repository.head('environments/dev')
  assert.deepEqual(
    { sync, health, conditions, history },
    {
      sync: 'Synced',
      health: 'Unknown',
      conditions: [],
      history: [head],
    },
  )
})

test('each object is reported as it is on the branch and as the dry source renders to it, secrets masked', async () => {
  await repository.push({ 'web/secret.yaml': secret('second-secret') })
  const answer = await call('ManagedResources', wireMessage([1, 'web'], [7, '']))
  assert.ok(!answer.includes('-secret'))
  const objects = new KnownFields(answer, [1]).all(1).map(readResourceDiff)
  assert.deepEqual(
    objects.map(({ object, modified }) => [object, modified]),
    [
      ['ConfigMap /web', false],
      ['Secret /web', true],
    ],
  )
  const [config, changed] = objects
  assert.deepEqual(config?.live, config?.target)
  assert.notDeepEqual(changed?.live, changed?.target)
})

test('manifests are rendered at a dry revision, without the values of secrets', async () => {
  const manifests = new KnownFields(
    await call('GetManifests', wireMessage([1, 'web'], [2, 'main'], [3, ''], [7, false])),
    [1, 2, 3, 4, 6, 7, 8, 9],
  )
  assert.equal(manifests.text(4), await repository.head('main'))
  const kinds = manifests.all(1).map((text) => (JSON.parse(text.toString()) as { kind: string }).kind)
  assert.deepEqual(kinds, ['ConfigMap', 'Secret'])
  assert.ok(!Buffer.concat(manifests.all(1)).includes('-secret'))
  await assert.rejects(call('GetManifests', wireMessage([1, 'web'], [2, 'nope'])), { code: status.NOT_FOUND })
  await assert.rejects(call('GetManifests', wireMessage([1, 'web'], [6, 'main'])), {
    code: status.INVALID_ARGUMENT,
  })
})
