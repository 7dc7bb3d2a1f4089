import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'
import { startKubernetesApi } from './kubernetes-api.ts'
import type { TcpRelay } from './tcp-relay.ts'

/** A Kubernetes API with Wadi's kinds, for tests that hold for the stand-in and for a real server. */
export interface TestCluster extends AsyncDisposable {
  /** What the administrator of the cluster connects with, through the relay. */
  readonly config: ClusterConfig
  readonly relay: TcpRelay
  /** Makes a namespace that no other test uses, and returns its name. */
  createNamespace(): Promise<string>
}

/** One kind of test cluster. */
export interface TestClusterKind {
  readonly name: string
  /** Why there is none on this machine; undefined when there is one. */
  readonly missing: string | undefined
  readonly open: () => Promise<TestCluster>
}

const crdFolder = path.resolve(import.meta.dirname, '../../../../deploy/crds')

/** The files of Wadi's CustomResourceDefinitions. */
export const crdFiles = ['applications', 'applicationsets', 'appprojects', 'hydratedbranches'].map((name) =>
  path.join(crdFolder, `${name}.yaml`),
)

/** The kinds of test cluster: the stand-in, always. */
export const testClusterKinds: readonly TestClusterKind[] = [
  { name: 'stand-in', missing: undefined, open: openStandIn },
]

async function openStandIn(): Promise<TestCluster> {
  const api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  return {
    config: {
      server: api.server,
      namespace: undefined,
      tls: async () => ({}),
      bearerToken: async () => api.admission.token,
    },
    relay: api.relay,
    createNamespace: async () => {
      const name = `test-${randomUUID().slice(0, 8)}`
      api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      return name
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}
