import { DomainError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { Selection } from '@wadi/kubernetes/client/selection.ts'
import { findClusterConfig } from '@wadi/kubernetes/config/find-cluster-config.ts'
import { oldDefinitions } from '@wadi/kubernetes/definitions/old-definitions.ts'
import { leaseResource } from '@wadi/kubernetes/lease/lease.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import { claimFindings } from './claim-findings.ts'
import { nodeClockFindings } from './node-clocks.ts'
import { podFindings } from './pod-findings.ts'

/** The label of what the chart installs. */
const labelSelector = 'app.kubernetes.io/part-of=wadi'
/** The namespace in which kubelets say, by their own clock, when they last gave a sign of life. */
const nodeLeases = 'kube-node-lease'

const resources = {
  pods: { group: '', version: 'v1', kind: 'Pod', plural: 'pods' },
  claims: { group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' },
  events: { group: '', version: 'v1', kind: 'Event', plural: 'events' },
  classes: { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', plural: 'storageclasses' },
  nodes: { group: '', version: 'v1', kind: 'Node', plural: 'nodes' },
  leases: leaseResource,
} as const satisfies Record<string, ApiResource>

/** Finds what a cluster knows to be wrong with an installation, by the rights of a kubeconfig: also where no service answers. */
export async function diagnoseCluster(
  kubeconfig: string,
  namespace: string | undefined,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Finding[]> {
  const config = await findClusterConfig(kubeconfig, environment)
  await using client = new KubernetesClient(config)
  const within = namespace ?? config.namespace ?? 'argocd'
  const unread: string[] = []
  const read = async (name: keyof typeof resources, selection: Selection = {}): Promise<Resource[]> => {
    try {
      return (await client.list(resources[name], selection, signal)).items
    } catch (error) {
      // What one may not read is no reason to say nothing of the rest.
      if (!(error instanceof DomainError) || signal.aborted) throw error
      unread.push(errorMessage(error))
      return []
    }
  }
  const [pods, claims, events, classes, nodes, leases, definitions] = await Promise.all([
    read('pods', { namespace: within, labelSelector }),
    read('claims', { namespace: within, labelSelector }),
    read('events', { namespace: within, fieldSelector: 'type=Warning' }),
    read('classes'),
    read('nodes'),
    read('leases', { namespace: nodeLeases }),
    oldDefinitions(client, (message) => unread.push(message), signal),
  ])
  const now = Date.now() - client.clockAheadMs
  return [
    ...(pods.length === 0 && unread.length === 0 ? [noPods(within)] : []),
    ...podFindings(pods, within),
    ...claimFindings(claims, { classes, events, namespace: within }),
    ...nodeClockFindings(nodes, leases, now),
    ...definitions.map((message): Finding => ({
      severity: 'warning',
      area: 'definitions',
      message,
      remedy: '',
    })),
    ...unread.map((message): Finding => ({ severity: 'info', area: 'cluster', message, remedy: '' })),
  ]
}

function noPods(namespace: string): Finding {
  return {
    severity: 'error',
    area: 'pods',
    message: `no pod in the namespace ${namespace} is of Wadi`,
    remedy: 'name the namespace of Wadi with --namespace',
  }
}
