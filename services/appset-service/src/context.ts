import type { CollectorLimits } from '@wadi/application-sets/application-collector.ts'
import type { Client } from '@connectrpc/connect'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { Ownership } from '@wadi/rpc/replicas/ownership.ts'
import type { Seal } from './access/author.ts'
import type { GenerationSlots } from './access/generation-slots.ts'
import type { DeletionLimits } from './changes/deletion-guard.ts'
import type { KeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import type { AppsetServiceEvents } from './events.ts'
import type { RunSources } from '@wadi/application-sets/generators/start-run.ts'
import type { GeneratedCache } from './generated-cache.ts'
import type { InputSources } from '@wadi/application-sets/inputs/run-inputs.ts'
import type { GeneratorInputCache } from './reconcile/generator-input-cache.ts'

/** Limits on what one ApplicationSet may generate. */
interface GenerationLimits extends CollectorLimits {
  /** The time of one call. */
  milliseconds: number
}

/** The context of the RPCs of appset-service. */
export interface AppsetServiceContext extends InputSources, RunSources {
  store: ResourceStore
  repoServer: InputSources['repoServer'] & Pick<Client<typeof RepoServerService>, 'listRepositories'>
  /** Decides what users may do. */
  policy: Pick<LivePolicy, 'enforcer'>
  /** Signs who a set is made for. */
  seal: Seal
  limits: GenerationLimits
  generationSlots: GenerationSlots
  deletionLimits: DeletionLimits
  setLock: KeyedLock
  /** Returns true for a namespace that may have ApplicationSets. */
  permitsNamespace: (namespace: string) => boolean
  /** The sets that this replica keeps up to date. */
  ownership: Ownership
  cache: GeneratedCache
  /** The answers of git, SCM providers and plugins to generators. */
  inputCache: GeneratorInputCache
  events: AppsetServiceEvents
}
