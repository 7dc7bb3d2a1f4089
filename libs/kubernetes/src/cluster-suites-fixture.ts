import { after, before, suite } from 'node:test'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { KubernetesClient } from './client/kubernetes-client.ts'

/** The cluster of a suite's tests; available from the first test on. */
export interface SuiteCluster {
  readonly cluster: TestCluster
  /** A client of the cluster's administrator. */
  readonly client: KubernetesClient
}

/**
 * Defines a suite for each kind of test cluster, with the reason for which one is skipped.
 * @param titleOf returns the title from the name of the cluster
 */
export function clusterSuites(
  titleOf: (cluster: string) => string,
  define: (at: SuiteCluster) => void,
): void {
  for (const { name, missing, open } of testClusterKinds) {
    suite(titleOf(name), { skip: missing ?? false }, () => {
      let opened: (SuiteCluster & AsyncDisposable) | undefined
      before(async () => {
        opened = await openWithClient(open)
      })
      after(() => opened?.[Symbol.asyncDispose]())
      const running = (): SuiteCluster => {
        if (!opened) throw new Error('the cluster of the suite is open only while its tests run')
        return opened
      }
      define({
        get cluster() {
          return running().cluster
        },
        get client() {
          return running().client
        },
      })
    })
  }
}

async function openWithClient(open: () => Promise<TestCluster>): Promise<SuiteCluster & AsyncDisposable> {
  const cluster = await open()
  const client = new KubernetesClient(cluster.config)
  return {
    cluster,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    },
  }
}
