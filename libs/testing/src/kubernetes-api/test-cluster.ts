import { randomUUID } from 'node:crypto'
import { crdFiles } from './crd-files.ts'
import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'
import { startKubernetesApi } from './kubernetes-api.ts'
import { sharedKubernetesPlane } from '../kubernetes-plane/shared-plane.ts'
import { planeMissing } from '../kubernetes-plane/plane-program.ts'
import { startTcpRelay, type TcpRelay } from './tcp-relay.ts'

/** A Kubernetes API with Wadi's kinds, for tests that hold for the stand-in and for a real server. */
export interface TestCluster extends AsyncDisposable {
  /** The connection of the cluster's administrator, through the relay. */
  readonly config: ClusterConfig
  readonly relay: TcpRelay
  /** Returns a token of a service account for one audience; the account is created if there is none. */
  accountToken(namespace: string, account: string, audience: string): Promise<string>
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

/** The kinds of test cluster: the stand-in, which is always there, and a real API server. */
export const testClusterKinds: readonly TestClusterKind[] = [
  { name: 'stand-in', missing: undefined, open: openStandIn },
  { name: 'API server', missing: planeMissing(), open: openPlane },
]

async function openStandIn(): Promise<TestCluster> {
  const api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  return {
    config: api.config,
    relay: api.relay,
    accountToken: async (namespace, account, audience) =>
      api.accounts.token({ namespace, account, audience }),
    createNamespace: async () => {
      const name = newNamespace()
      api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      return name
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

/** The plane that the process shares, through a relay of its own. */
async function openPlane(): Promise<TestCluster> {
  const plane = await sharedKubernetesPlane()
  await plane.applyCrds(...crdFiles)
  const relay = await startTcpRelay(plane.port)
  return {
    config: {
      server: `https://127.0.0.1:${relay.port}`,
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: async () => plane.adminToken,
    },
    relay,
    accountToken: (namespace, account, audience) => plane.accountToken(namespace, account, [audience]),
    createNamespace: async () => {
      const name = newNamespace()
      await plane.create('/api/v1/namespaces', { metadata: { name } })
      return name
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  }
}

function newNamespace(): string {
  return `test-${randomUUID().slice(0, 8)}`
}
