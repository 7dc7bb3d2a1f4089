import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { apiContract } from '@wadi/kubernetes/client/contract/api-contract-fixture.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import { storeContract } from '@wadi/resources/store/contract/store-contract-fixture.ts'
import { ClusterServer, installedKinds } from './cluster-server.ts'
import { type ApiLink, modelTransport } from './model-transport.ts'

const namespaces = ['a', 'argocd', 'b', 'other']
const kinds = await installedKinds()

function clientOf(server: ClusterServer): KubernetesClient {
  const link: ApiLink = { ask: async (_label, ask) => ask(server), open: () => queueMicrotask }
  const config = {
    server: 'https://kubernetes.example.com',
    namespace: undefined,
    tls: async () => ({}),
    bearerToken: async () => undefined,
  }
  return new KubernetesClient(config, modelTransport(link))
}

function makeNamespace(server: ClusterServer, name: string): void {
  server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

suite('the model of the API server', () => {
  const server = new ClusterServer(kinds)
  let made = 0
  apiContract('model', {
    client: clientOf(server),
    createNamespace: async () => {
      const name = `test-${++made}`
      makeNamespace(server, name)
      return name
    },
  })
  storeContract('the model of the API server', () => {
    const emptied = new ClusterServer(kinds)
    for (const name of namespaces) makeNamespace(emptied, name)
    return openKubernetesStore(clientOf(emptied), { namespaces, onError: assert.ifError })
  })
})
