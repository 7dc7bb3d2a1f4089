import type { Client } from '@connectrpc/connect'
import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { Ownership } from '@wadi/rpc/replicas/ownership.ts'
import type { Seal } from './access/author.ts'
import type { GenerationSlots } from './access/generation-slots.ts'
import type { DeletionLimits } from './changes/deletion-guard.ts'
import type { SetLock } from './changes/set-lock.ts'
import type { AppsetServiceEvents } from './events.ts'
import type { ForgeAccess } from './forges/forge-access.ts'
import type { GeneratedMemo } from './generated-memo.ts'
import type { InputSources } from './inputs/run-inputs.ts'
import type { GeneratorInputCache } from './reconcile/generator-input-cache.ts'
import type { TemplateWork } from './templates/template-work.ts'

/** What one ApplicationSet may generate. */
export interface GenerationLimits {
  applications: number
  /** All Applications together as JSON. */
  bytes: number
  /** The time of one call. */
  milliseconds: number
}

/** What the RPCs of appset-service work with. */
export interface AppsetServiceContext extends InputSources {
  store: ResourceStore
  repoServer: InputSources['repoServer'] & Pick<Client<typeof RepoServerService>, 'listRepositories'>
  /** Decides what users may do. */
  policy: Pick<LivePolicy, 'enforcer'>
  /** Signs who a set is made for. */
  seal: Seal
  /** Which addresses repositories may have at all. */
  urlPolicy: UrlPolicy
  /** The names of the ConfigMaps of those plugins that generators may ask. */
  pluginConfigMaps: readonly string[]
  /** Renders Go templates and bounds what they take. */
  templateWork: TemplateWork
  limits: GenerationLimits
  generationSlots: GenerationSlots
  deletionLimits: DeletionLimits
  setLock: SetLock
  /** Which sets this replica keeps up to date. */
  ownership: Ownership
  forges: ForgeAccess
  memo: GeneratedMemo
  /** What generators fetched from git, SCM providers and plugins. */
  inputCache: GeneratorInputCache
  events: AppsetServiceEvents
}
