import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { AlreadyExistsError } from '@wadi/errors/domain-error.ts'
import { storeContract } from '@wadi/resources/store/contract/store-contract-fixture.ts'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { openKubernetesStore } from './kubernetes-store.ts'
import { storedKind } from './stored-kinds.ts'

const namespaces = ['a', 'argocd', 'b', 'other']
const namespaceKind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' }

/** Takes away what the previous test left. */
async function empty(client: KubernetesClient): Promise<void> {
  for (const kind of ['Application', 'AppProject', 'ConfigMap', 'Secret']) {
    const { resource } = storedKind(kind)
    for (const namespace of namespaces) {
      for (const { metadata } of (await client.list(resource, { namespace })).items) {
        if (metadata.finalizers) await client.patch(resource, metadata, { metadata: { finalizers: null } })
        if (!metadata.deletionTimestamp) await client.delete(resource, metadata)
      }
    }
  }
}

for (const { name, missing, open } of testClusterKinds) {
  suite(`objects of the ${name}`, { skip: missing ?? false }, () => {
    let cluster: TestCluster
    let client: KubernetesClient
    before(async () => {
      cluster = await open()
      client = new KubernetesClient(cluster.config)
      for (const namespace of namespaces) {
        const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
        await client.create(namespaceKind, object).catch((error: unknown) => {
          assert.ok(error instanceof AlreadyExistsError)
        })
      }
    })
    after(async () => {
      await client[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    })
    storeContract('the Kubernetes API', async () => {
      await empty(client)
      return openKubernetesStore(client, { namespaces, onError: assert.ifError })
    })
  })
}
