import { createClient, type Transport } from '@connectrpc/connect'
import { createHydratorEvents } from '@wadi/hydrator/events.ts'
import { type Hydrating, startHydrating } from '@wadi/hydrator/hydrating.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import type { ProcessBase } from './service-process.ts'

/** The links of a hydrator to everything beyond it. */
export interface HydratorLinks {
  readonly store: ResourceStore
  /** True if a cluster keeps the objects. */
  readonly isInCluster: boolean
  readonly queue: BranchQueue
  readonly memory: SharedMemory
  readonly repoServer: Transport
  readonly commitServer: Transport
  /** The directory of what it knows. */
  readonly directory: string
  readonly installation: string
}

/** Starts a hydrator, all of its own code. */
export async function startHydrator(
  { logger, metrics }: ProcessBase,
  { store, isInCluster, queue, memory, repoServer, commitServer, directory, installation }: HydratorLinks,
): Promise<Hydrating> {
  const argv = ['--data-dir', directory, '--poll-interval', '10s']
  const settings = readSettings(hydratorSettings, { env: {}, argv })
  return startHydrating(settings, {
    store,
    status: { operations: isInCluster, yieldsToArgoCd: isInCluster },
    installation,
    events: createHydratorEvents(logger, metrics),
    metrics,
    traces: undefined,
    repoServer: Object.assign(createClient(RepoServerService, repoServer), { replicas: async () => 1 }),
    commitServer: createClient(CommitServerService, commitServer),
    forges: createClient(ForgeService, commitServer),
    openQueue: async () => ({ queue, memory }),
  })
}
