import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { StoredObjects } from '@wadi/state/stored-objects.ts'
import { ClusterServer, installedKinds } from '../models/cluster/cluster-server.ts'
import { ModelStore, type StoreLink } from '../models/store/model-store.ts'
import { StoreServer } from '../models/store/store-server.ts'
import type { WorldObjects } from '../models/world-objects.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'
import { openClusterStore } from './cluster-store.ts'
import { runControllers } from './cluster-controllers.ts'
import type { ProcessBase } from './service-process.ts'
import type { StoreWay } from './store-way.ts'

/** The objects of a world. */
export interface KeptObjects {
  readonly objects: WorldObjects
  /** The API server; undefined where a file keeps the objects. */
  readonly cluster: ClusterServer | undefined
  /**
   * Opens the store of a process.
   * @param gone aborts when the process is gone
   * @param used the objects that its service uses
   */
  open(base: ProcessBase, gone: AbortSignal, used: readonly StoredObjects[]): Promise<ResourceStore>
}

/** They are read from a disk that is not a world's. */
const kinds = await installedKinds()

/** Returns what keeps the objects of a world that begins. */
export function keptIn(place: 'file' | 'cluster', way: StoreWay): KeptObjects {
  if (place === 'file') {
    const server = new StoreServer()
    const open = async ({ actor }: ProcessBase) => new ModelStore(fileLink(actor, way.scheduler, server))
    return { objects: server, cluster: undefined, open }
  }
  const cluster = new ClusterServer(kinds)
  runControllers(cluster, way)
  return {
    objects: cluster,
    cluster,
    open: (base, gone, used) => openClusterStore(base, gone, { ...way, server: cluster }, used),
  }
}

/** A file is not behind a network: a question is answered before anybody else does something. */
function fileLink(actor: Actor, scheduler: Scheduler, server: StoreServer): StoreLink {
  return {
    ask: (label, question) =>
      new Promise((resolve, reject) => {
        const answer = settled(() => question(server))
        scheduler.deliver(actor, label, () => answer(resolve, reject))
      }),
    follow: (kind, from, receive) => {
      const waiting: Parameters<typeof receive>[0][] = []
      const arriveNext = (): void => {
        scheduler.deliver(actor, `hears of a ${kind}`, () => {
          const event = waiting.shift()
          if (event) receive(event)
          if (waiting.length > 0) arriveNext()
        })
      }
      return server.follow(kind, from, (event) => {
        if (actor.isAlive && waiting.push(event) === 1) arriveNext()
      })
    },
  }
}

/** Does something and returns how it ended, for whoever waits for it. */
function settled<Value>(
  work: () => Value,
): (resolve: (value: Value) => void, reject: (error: unknown) => void) => void {
  try {
    const value = work()
    return (resolve) => resolve(value)
  } catch (error) {
    return (_resolve, reject) => reject(error)
  }
}
