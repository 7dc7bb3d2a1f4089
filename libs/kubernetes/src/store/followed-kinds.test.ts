import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainError } from '@wadi/errors/domain-error.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { type KubernetesApi, startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { application } from '../object-fixture.ts'
import { openKubernetesStore } from './kubernetes-store.ts'

/** A client of a stand-in, and what becomes of both. */
function clientOf(api: KubernetesApi) {
  return new KubernetesClient(api.config)
}

const impatient = { syncTimeoutMs: 300, onError: () => undefined }

test('a kind is listed once, at its first read, and reads and equal writes cost no request from then on', async () => {
  await using api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  await using client = clientOf(api)
  await using store = openKubernetesStore(client, { onError: assert.ifError })
  api.put(application('argocd', 'a'))
  const stored = await store.get('Application', 'argocd', 'a')
  assert.ok(stored)
  for (let time = 0; time < 10; time++) {
    await store.list('Application')
    assert.deepEqual(await store.update(stored), stored)
    assert.deepEqual(await store.updateStatus(stored), stored)
  }
  assert.deepEqual(api.requests, ['watch applications'])
})

for (const { title, prepare, class: name, message } of [
  {
    title: 'whose definition is missing',
    prepare: () => undefined,
    class: 'FailedPreconditionError',
    message:
      'the cluster does not serve Application (argoproj.io/v1alpha1); install the CustomResourceDefinition applications.argoproj.io',
  },
  {
    title: 'that the account may not list',
    prepare: async (api: KubernetesApi) => {
      await api.applyCrds(...crdFiles)
      api.admission.forbid('applications')
    },
    class: 'PermissionDeniedError',
    message:
      'applications.argoproj.io of the Kubernetes API: applications.argoproj.io is forbidden: User "test" cannot watch resource "applications" in API group "argoproj.io" at the cluster scope; bind a role that allows it (get, list and watch are needed)',
  },
  {
    title: 'of an API server that cannot be reached',
    prepare: async (api: KubernetesApi) => api.relay[Symbol.asyncDispose](),
    class: 'UnavailableError',
    message: /^applications\.argoproj\.io of the Kubernetes API: not listed after 0\.3 s: .*; check that/,
  },
]) {
  test(`a read of a kind ${title} says so, and a watch too`, async () => {
    await using api = await startKubernetesApi()
    await prepare(api)
    await using client = clientOf(api)
    await using store = openKubernetesStore(client, impatient)
    const isExpected = (error: DomainError) => {
      assert.equal(error.name, name)
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return true
    }
    await assert.rejects(store.list('Application'), isExpected)
    const { signal } = new AbortController()
    const watch = store.watch('Application', { signal })[Symbol.asyncIterator]()
    await assert.rejects(watch.next(), isExpected)
    if (typeof message === 'string') await assert.rejects(store.get('Application', 'argocd', 'a'), isExpected)
  })
}

test('a kind whose definition comes later is there from then on', async () => {
  await using api = await startKubernetesApi()
  await using client = clientOf(api)
  await using store = openKubernetesStore(client, impatient)
  await assert.rejects(store.list('Application'))
  await assert.rejects(store.create(application('argocd', 'a')), { code: 'unknown-kind' })
  await api.applyCrds(...crdFiles)
  api.put(application('argocd', 'a'))
  await until(async () => {
    const list = await store.list('Application').catch(() => undefined)
    return list?.items.length === 1
  })
})

test('a closed store follows nothing any more', async () => {
  await using api = await startKubernetesApi()
  await using client = clientOf(api)
  const store = openKubernetesStore(client, impatient)
  await store[Symbol.asyncDispose]()
  await assert.rejects(store.list('ConfigMap'), { name: 'CanceledError' })
  assert.deepEqual(api.requests, [])
})
