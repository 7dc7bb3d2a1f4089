import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { until } from '@wadi/testing/until.ts'
import { followPolicy, policyConfigMap } from './live-policy.ts'

const ada = { sub: 'ada', groups: ['team'] }

async function openStore() {
  const directory = await mkdtemp(join(tmpdir(), 'wadi-policy-'))
  const store = openSqliteStore({ file: join(directory, 'state.db') })
  const close = async () => {
    await store[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  }
  return { store, [Symbol.asyncDispose]: close }
}

function configMap(data: Record<string, string>, namespace = 'argocd'): Resource {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: policyConfigMap }, data }
}

function project(name: string, policies: readonly string[], namespace = 'argocd'): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { namespace, name },
    spec: { roles: [{ name: 'ci', policies, groups: ['team'] }] },
  }
}

/** A line that lets ada do one action to everything of project dev. */
function allowing(action: string): Record<string, string> {
  return { 'policy.csv': `p, ada, applications, ${action}, dev/*, allow` }
}

async function putPolicy(store: ResourceStore, data: Record<string, string>): Promise<void> {
  await mutate(store, 'ConfigMap', 'argocd', policyConfigMap, (current) => ({ ...current, data }))
}

/** Follows the policy of a store and remembers the errors. */
async function followed(store: Pick<ResourceStore, 'list' | 'watch'>) {
  const errors: string[] = []
  const policy = await followPolicy(store, (error) => errors.push(error))
  const may = (action: string, object = 'dev/web') =>
    policy.enforcer.allows(ada, 'applications', action, object)
  return { policy, errors, may, [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose]() }
}

test('without a ConfigMap the built-in roles are the policy, and nothing is missing', async () => {
  await using opened = await openStore()
  await using live = await followed(opened.store)
  assert.ok(live.policy.enforcer.allows({ sub: 'admin', groups: [] }, 'applications', 'sync', 'dev/web'))
  assert.ok(!live.may('get'))
  assert.deepEqual([live.policy.error, live.policy.isMissing, live.errors], [undefined, false, []])
})

test('a stored policy applies from the start, and the next one as soon as it is stored', async () => {
  await using opened = await openStore()
  await opened.store.create(configMap({ ...allowing('get'), 'policy.default': 'role:x' }))
  await using live = await followed(opened.store)
  assert.deepEqual([live.may('get'), live.may('sync')], [true, false])
  assert.equal(live.policy.config.defaultRole, 'role:x')
  await putPolicy(opened.store, allowing('sync'))
  await until(() => live.may('sync'))
  assert.equal(live.may('get'), false)
  assert.equal(live.policy.config.defaultRole, '')
})

test('a broken line keeps the last good policy and is reported once, and a fixed policy applies again', async () => {
  await using opened = await openStore()
  await opened.store.create(configMap(allowing('get')))
  await using live = await followed(opened.store)
  const error =
    'argocd-rbac-cm policy.csv:1: a line with g needs a member and a role, and has 1 value; a value with commas needs quotes: "g, ada"'
  await putPolicy(opened.store, { 'policy.csv': 'g, ada' })
  await until(() => live.policy.error !== undefined)
  assert.deepEqual([live.policy.error, live.errors], [error, [error]])
  assert.deepEqual([live.may('get'), live.policy.isMissing], [true, false])

  await putPolicy(opened.store, { 'policy.csv': 'g, ada', 'policy.default': 'role:admin' })
  await putPolicy(opened.store, { 'policy.csv': 'g, bob' })
  await until(() => live.policy.error?.includes('bob') ?? false)
  assert.deepEqual(live.errors, [error, error.replace('ada', 'bob')])
  assert.equal(live.policy.config.defaultRole, '')

  await putPolicy(opened.store, allowing('sync'))
  await until(() => live.may('sync'))
  assert.deepEqual([live.policy.error, live.may('get'), live.errors.length], [undefined, false, 2])
})

test('a policy that cannot be read since the start is missing until it can', async () => {
  await using opened = await openStore()
  await opened.store.create(configMap({ ...allowing('get'), scopes: 'groups' }))
  await using live = await followed(opened.store)
  assert.deepEqual([live.policy.isMissing, live.may('get'), live.errors.length], [true, false, 1])
  assert.ok(live.policy.enforcer.allows({ sub: 'admin', groups: [] }, 'applications', 'get', 'dev/web'))
  await putPolicy(opened.store, allowing('get'))
  await until(() => live.may('get'))
  assert.deepEqual([live.policy.isMissing, live.policy.error], [false, undefined])
  await putPolicy(opened.store, { 'policy.csv': 'x' })
  await until(() => live.policy.error !== undefined)
  assert.deepEqual([live.policy.isMissing, live.may('get')], [false, true])
})

test('without its ConfigMap the policy is the default again, and a new ConfigMap applies', async () => {
  await using opened = await openStore()
  await opened.store.create(configMap({ ...allowing('get'), 'policy.denyWins': 'false' }))
  await using live = await followed(opened.store)
  await opened.store.delete('ConfigMap', 'argocd', policyConfigMap)
  await until(() => !live.may('get'))
  assert.deepEqual([live.policy.config.denyWins, live.policy.isMissing], [true, false])
  await opened.store.create(configMap(allowing('get')))
  await until(() => live.may('get'))
})

test('roles of projects apply as they are now, and are gone with their project', async () => {
  await using opened = await openStore()
  const { store } = opened
  await store.create(project('dev', ['p, proj:dev:ci, applications, get, dev/*, allow']))
  await using live = await followed(store)
  assert.deepEqual([live.may('get'), live.may('sync')], [true, false])
  const next = project('dev', ['p, proj:dev:ci, applications, sync, dev/*, allow'])
  await mutate(store, 'AppProject', 'argocd', 'dev', () => next)
  await until(() => live.may('sync'))
  assert.equal(live.may('get'), false)
  await store.create(project('ops', ['p, proj:ops:ci, applications, get, ops/*, allow']))
  await until(() => live.may('get', 'ops/web'))
  await store.delete('AppProject', 'argocd', 'dev')
  await until(() => !live.may('sync'))
  assert.deepEqual(live.errors, [])
})

test('roles that cannot be read are reported once, however often their project changes', async () => {
  await using opened = await openStore()
  const { store } = opened
  await store.create(project('dev', ['broken']))
  await using live = await followed(store)
  const error = 'AppProject dev spec.roles[0].policies[0]:1: a line must begin with p or g: "broken"'
  assert.deepEqual(live.errors, [error])
  await mutate(store, 'AppProject', 'argocd', 'dev', (current) => ({
    ...current,
    metadata: { ...current.metadata, labels: { a: 'b' } },
  }))
  await store.create(project('ops', ['p, proj:ops:ci, applications, get, ops/*, allow']))
  await until(() => live.may('get', 'ops/web'))
  assert.deepEqual([live.errors, live.policy.error], [[error], undefined])
})

test('ConfigMaps and projects of other namespaces say nothing', async () => {
  await using opened = await openStore()
  const { store } = opened
  await store.create(configMap(allowing('get'), 'other'))
  await store.create(project('dev', ['p, proj:dev:ci, applications, get, dev/*, allow'], 'other'))
  await using live = await followed(store)
  assert.equal(live.may('get'), false)
  await store.create(configMap(allowing('sync')))
  await until(() => live.may('sync'))
  await store.delete('ConfigMap', 'other', policyConfigMap)
  await store.delete('AppProject', 'other', 'dev')
  await putPolicy(store, allowing('{sync,override}'))
  await until(() => live.policy.error !== undefined)
  assert.deepEqual([live.may('sync'), live.may('get')], [true, false])
})

test('what is removed while the policy is read for the first time has no effect', async () => {
  await using opened = await openStore()
  const { store } = opened
  await store.create(configMap(allowing('get')))
  await store.create(project('dev', ['p, proj:dev:ci, applications, sync, dev/*, allow']))
  await using live = await followed({
    list: async (kind, options) => {
      const list = await store.list(kind, options)
      for (const { metadata } of list.items) await store.delete(kind, 'argocd', metadata.name)
      return list
    },
    watch: (kind, options) => store.watch(kind, options),
  })
  await until(() => !live.may('get') && !live.may('sync'))
  assert.deepEqual(live.policy.config.policy.rules, [])
})
