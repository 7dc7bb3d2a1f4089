import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { followedObjects, isFollowed, type StoredObjects } from '@wadi/state/stored-objects.ts'
import type { ClusterServer } from '../models/cluster/cluster-server.ts'
import { type ApiLink, modelTransport } from '../models/cluster/model-transport.ts'
import type { Actor } from '../virtual/scheduler.ts'
import type { StoreWay } from './store-way.ts'
import type { ProcessBase } from './service-process.ts'

/** The way from processes to an API server. */
interface ClusterWay extends StoreWay {
  readonly server: ClusterServer
}

/** The time after which a client finds, by its pings, that a connection is broken, in milliseconds. */
const pingsMs = 30_000

const config = {
  server: 'https://kubernetes.example.com',
  namespace: undefined,
  tls: async () => ({}),
  bearerToken: async () => undefined,
}

/** The time between two looks at what is listed, in milliseconds. */
const lookMs = 1_000

/**
 * Opens the store of a process in a cluster and returns once all objects are listed, as services do. The client of the Kubernetes API, its
 * informers and its store are Wadi's own.
 */
export async function openClusterStore(
  { actor, logger }: ProcessBase,
  gone: AbortSignal,
  way: ClusterWay,
  objects: readonly StoredObjects[],
): Promise<ResourceStore> {
  const client = new KubernetesClient(config, modelTransport(linkOf(actor, gone, way)))
  const store = openKubernetesStore(client, {
    followed: followedObjects(objects, { namespaces: [controlPlaneNamespace] }),
    onError: (error) => logger.warn({ reason: String(error) }, 'the Kubernetes API is asked again'),
  })
  store.follow(objects.filter(isFollowed).map(({ kind }) => kind))
  while (store.troubles.some(({ isListed }) => !isListed)) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return store
}

function linkOf(process: Actor, gone: AbortSignal, way: ClusterWay): ApiLink {
  const { scheduler, network, fate, server, actor } = way
  return {
    ask: (label, ask) => network.ask([process, actor], label, () => ask(server)),
    open: (label, { broken, closed }) => {
      const waiting: (() => void)[] = []
      let isBroken = false
      gone.addEventListener('abort', closed)
      const arriveNext = (): void => {
        if (!process.isAlive) return
        scheduler.deliver(process, `hears of ${label}`, () => {
          waiting.shift()?.()
          if (waiting.length > 0) arriveNext()
        })
      }
      const send = (arrive: () => void): void => {
        if (waiting.push(arrive) === 1) arriveNext()
      }
      return (arrive) => {
        if (isBroken) return
        isBroken = fate(actor, process) !== 'arrives'
        if (!isBroken) return send(arrive)
        closed()
        scheduler.after(pingsMs, process, `misses pings: ${label}`, broken)
      }
    },
  }
}
