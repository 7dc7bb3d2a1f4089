import type { KubernetesNode } from '@wadi/testing/kubernetes-node/kubernetes-node.ts'
import { pauseImage } from '@wadi/testing/kubernetes-node/node-files.ts'
import { until } from '@wadi/testing/until.ts'
import type { Release } from './release-fixture.ts'

/** A pod with an address. */
interface PodAddress {
  /** The service whose pod it is; of a pod that is not Wadi's, the name of its namespace. */
  readonly service: string
  readonly address: string
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly namespace: string; readonly labels?: Record<string, string> }
    readonly status: { readonly podIP?: string }
  }[]
}

/** Starts a pod that does nothing, in a namespace of its own. */
export async function startPause(node: KubernetesNode, namespace: string): Promise<AsyncDisposable> {
  await node.create('/api/v1/namespaces', { metadata: { name: namespace } })
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`
  await until(async () => (await node.ask('GET', account)).status === 200)
  const pods = `/api/v1/namespaces/${namespace}/pods`
  await node.create(pods, {
    metadata: { name: 'pause' },
    spec: { containers: [{ name: 'pause', image: pauseImage, imagePullPolicy: 'Never' }] },
  })
  await until(async () => (await node.ask('GET', `${pods}/pause`)).body.includes('"podIP":'))
  return {
    [Symbol.asyncDispose]: async () => void (await node.ask('DELETE', `/api/v1/namespaces/${namespace}`)),
  }
}

/** The pods of a release, and those of other namespaces. */
export async function podAddresses(release: Release, others: readonly string[]): Promise<PodAddress[]> {
  const list: PodList = JSON.parse((await release.node.ask('GET', '/api/v1/pods')).body)
  return list.items.flatMap(({ metadata: { namespace, labels = {} }, status: { podIP: address } }) => {
    const service = others.includes(namespace) ? namespace : labels['app.kubernetes.io/name']
    const isOne = others.includes(namespace) || namespace === release.namespace
    return isOne && service !== undefined && address !== undefined ? [{ service, address }] : []
  })
}

/** Returns the addresses, each as `host:port`, to which the network lets a connection of a pod pass. */
export async function reachedFrom(
  node: KubernetesNode,
  pod: PodAddress,
  addresses: readonly string[],
): Promise<string[]> {
  const script = `for network in /run/netns/*; do
    nsenter --net="$network" ip -4 -oneline address show scope global | grep -qF ' ${pod.address}/' || continue
    for address in ${addresses.join(' ')}; do
      nsenter --net="$network" timeout 3 bash -c "</dev/tcp/\${address%:*}/\${address#*:}" 2>/dev/null && echo "$address" &
    done
    wait
  done`
  return (await node.run(['sh', '-c', script])).split('\n').filter((line) => line !== '')
}
