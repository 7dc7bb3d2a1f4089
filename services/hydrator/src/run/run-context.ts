import type { Client } from '@connectrpc/connect'
import type { RunPlaces } from '../lanes/run-places.ts'
import type { TemplateEngine } from '@wadi/engines/templates/template.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ReplicatedClient } from '@wadi/rpc/create-client.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'
import type { FollowedPolicies } from '../gates/cluster/cluster-policies.ts'
import type { HydratorEvents } from '../events.ts'
import type { Announcements } from '../watch/announcements.ts'
import type { RepositoryNews } from '../watch/repository-news.ts'
import type { RunLog } from './log/run-log.ts'
import type { BranchRecords } from './report/branch-records.ts'
import type { Known } from './reuse/known.ts'
import type { OperatorViews } from './operator-view.ts'
import type { SharedCalls } from './reuse/shared-calls.ts'

/** The parts of the status of Applications that runs write. */
export interface StatusWrites {
  /** True to write operations, for those who read Applications past the gateway; otherwise only the spec that was hydrated. */
  readonly operations: boolean
  /** True to leave Applications to Argo CD's own hydrator where that is on. */
  readonly yieldsToArgoCd: boolean
}

/** The context of a run. */
export interface RunContext {
  store: ResourceStore
  index: ApplicationIndex
  repoServer: ReplicatedClient<typeof RepoServerService>
  commitServer: Client<typeof CommitServerService>
  /** The forges of the hydrated repositories, asked by commit-server. */
  forges: Client<typeof ForgeService>
  /** The calls that runs share. */
  shared: SharedCalls
  operatorViews: OperatorViews
  announcements: Announcements
  /** The ways in which new commits became known. */
  news: RepositoryNews
  /** The branches that are rendered at a time; what only needs a note does not wait for them. */
  rendering: RunPlaces
  templates: () => Promise<TemplateEngine>
  known: Known
  records: BranchRecords
  /** The log of runs, for people. */
  runs: RunLog
  /** Id of this installation. */
  installation: string
  events: HydratorEvents
  status: StatusWrites
  /** The policies of the cluster; undefined if nobody follows them. */
  clusterPolicies?: FollowedPolicies | undefined
}
