import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { addUsers } from '../access/users-fixture.ts'
import { startProcessMesh } from '../process-mesh-fixture.ts'
import {
  applicationNames,
  metadataOf,
  namesGenerator,
  authorIn,
  rejectionOf,
  setObject,
  waitForSet,
} from './set-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const mesh = await usedByFile(
  startProcessMesh({
    replicas: { 'cmp-server': 0 },
    together: ['repo-server', 'commit-server', 'api-gateway'],
  }),
)
const { fixture, git, processes } = mesh
const [apiGateway] = processes['api-gateway']
const [service] = processes['appset-service']
assert.ok(apiGateway && service)
const appsetService = service
const users = await usedByFile(addUsers({ fixture, git, address: apiGateway.address }))
const ann = await users.connectAs('ann')

const annsSet = setObject({ name: 'anns', generators: [namesGenerator('web-1', 'web-2')] })
const bobsSet = setObject({ name: 'bobs', project: 'api', generators: [namesGenerator('api-1')] })

/** Calls appset-service itself, past the gateway. */
async function callDirectly(method: string, headers: Record<string, string>): Promise<[string, string]> {
  const answer = await fetch(
    `${appsetService.address}/wadi.application_sets.v1.ApplicationSetService/${method}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: 'anns' }),
    },
  )
  const { code = 'ok', message = '' } = (await answer.json()) as { code?: string; message?: string }
  return [code, message]
}

test('appset-service receives the user of a call, and the rights of that user apply', async () => {
  const { applicationSet } = await ann.applicationSets.applyApplicationSet({ applicationSet: annsSet })
  assert.deepEqual(authorIn(applicationSet), { subject: 'ann', groups: [], projects: ['web'], generation: 1 })
  assert.match(
    (await rejectionOf(ann.applicationSets.applyApplicationSet({ applicationSet: bobsSet }))) ?? '',
    /sub: ann$/,
  )
})

test('appset-service takes no user that the gateway did not sign, from nobody', async () => {
  const key = await loadServiceKey(join(users.fixture.directory, 'data', 'service.key'))
  const gateway = createServiceIdentity({ key, service: 'api-gateway' })
  const forger = createServiceIdentity({ key: Buffer.alloc(32, 1), service: 'api-gateway' })
  const admin = { subject: 'admin', groups: [] }
  const token = await gateway.token('appset-service')
  const authorization = `Bearer ${token}`
  const signed = await gateway.signUser(admin)
  const refused: Record<string, string>[] = [
    { 'wadi-user': signed },
    { 'wadi-user': signed, authorization: `Bearer ${await forger.token('appset-service')}` },
    { 'wadi-user': signed, authorization: `Bearer ${await gateway.token('repo-server')}` },
    { 'wadi-user': signed, authorization: `Bearer ${signed}` },
    { authorization, 'wadi-user': await forger.signUser(admin) },
    { authorization, 'wadi-user': token },
    { authorization, 'wadi-user': 'admin' },
    { authorization, 'wadi-user': '{"subject": "admin", "groups": []}' },
  ]
  for (const method of ['GetApplicationSet', 'DeleteApplicationSet', 'RefreshApplicationSet']) {
    for (const headers of refused) {
      const [code] = await callDirectly(method, headers)
      assert.equal(code, 'unauthenticated', `${method} with ${Object.keys(headers).join(' and ')}`)
    }
    const [code, message] = await callDirectly(method, { authorization })
    assert.equal(code, 'permission_denied')
    assert.match(message, / is called on behalf of an end user; api-gateway names none$/)
  }
  assert.deepEqual(await callDirectly('GetApplicationSet', { authorization, 'wadi-user': signed }), [
    'ok',
    '',
  ])
  assert.deepEqual(await applicationNames(users.admin), ['web-1', 'web-2'])
})

test('a header that a user sends along changes nothing at the gateway', async () => {
  const key = await loadServiceKey(join(users.fixture.directory, 'data', 'service.key'))
  const signed = await createServiceIdentity({ key, service: 'api-gateway' }).signUser({
    subject: 'admin',
    groups: [],
  })
  for (const user of ['admin', signed]) {
    const call = ann.applicationSets.applyApplicationSet(
      { applicationSet: bobsSet },
      { headers: { 'wadi-user': user } },
    )
    assert.match((await rejectionOf(call)) ?? '', /^PermissionDenied: .*sub: ann$/)
  }
})

test('without appset-service every call about sets fails with that reason and everything else works, until it is back', async () => {
  await appsetService.kill()
  const sets = ann.applicationSets
  const name = 'anns'
  const calls: Record<string, () => Promise<unknown>> = {
    generate: () => sets.generateApplications({ applicationSet: annsSet }),
    apply: () => sets.applyApplicationSet({ applicationSet: annsSet }),
    delete: () => sets.deleteApplicationSet({ name }),
    get: () => sets.getApplicationSet({ name }),
    list: () => sets.listApplicationSets({}),
    watch: () => Array.fromAsync(sets.watchApplicationSets({})),
    refresh: () => sets.refreshApplicationSet({ name }),
    'apply of any object': () => ann.resources.applyResource({ resource: annsSet }),
  }
  for (const [call, make] of Object.entries(calls)) {
    const rejection = (await rejectionOf(make())) ?? 'answered'
    assert.match(rejection, /^FailedPrecondition: .*appset-service is not installed or not running/, call)
  }
  assert.deepEqual(await applicationNames(ann), ['web-1', 'web-2'])
  await appsetService.start()
  assert.equal((await sets.applyApplicationSet({ applicationSet: annsSet })).outcome, 'unchanged')
  assert.equal((await sets.listApplicationSets({})).applicationSets.length, 1)
})

/** Kills appset-service while it makes the Applications of a new set, and returns how many there are then. */
async function killWhileMaking(name: string, names: readonly string[]): Promise<number> {
  const applicationSet = setObject({ name, generators: [namesGenerator(...names)] })
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(hangLimitMs)])
  const watch = ann.applications.watchApplications({}, { signal, timeoutMs: 0 })
  const outcome = rejectionOf(ann.applicationSets.applyApplicationSet({ applicationSet }))
  for await (const { application } of watch) if (metadataOf(application).name.startsWith(`${name}-`)) break
  await appsetService.kill()
  end.abort()
  await outcome
  const made = await applicationNames(ann)
  return made.filter((application) => application.startsWith(`${name}-`)).length
}

test('what an end in the middle of a change leaves undone is done after the start', async () => {
  // A slow machine may see the first Application only when the last one is made.
  for (const name of ['many', 'more', 'most', 'plenty', 'lots', 'heaps']) {
    const names = Array.from({ length: 3_000 }, (_, index) => `${name}-${String(index).padStart(4, '0')}`)
    const made = await killWhileMaking(name, names)
    await appsetService.start()
    const set = await waitForSet(ann, name, ({ status }) => {
      return (status as { resourcesCount?: number }).resourcesCount === names.length
    })
    const { applications } = await ann.applications.listApplications({})
    const own = applications.map(metadataOf).filter((metadata) => metadata.name.startsWith(`${name}-`))
    assert.deepEqual(
      own.map((metadata) => metadata.name),
      names,
    )
    const owners = new Set(own.map(({ ownerReferences }) => ownerReferences?.[0]?.uid))
    assert.deepEqual([...owners], [metadataOf(set).uid])
    const { applications: deleted } = await ann.applicationSets.deleteApplicationSet({ name })
    assert.equal(deleted.length, names.length)
    if (made > 0 && made < names.length) return
  }
  assert.fail('appset-service was never killed in the middle')
})
