import type { Client } from '@connectrpc/connect'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type {
  ServiceDiagnosticsService,
  ServiceReport,
} from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import type { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { ReplicatedClient } from '@wadi/rpc/create-client.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { Authorization } from './authorization/authorization.ts'
import type { SignIn } from './sessions/sign-in.ts'
import type { SummaryIndex } from './summaries/summary-index.ts'

/** The context of the public RPCs. */
export interface GatewayContext {
  store: ResourceStore
  /** The summaries of all Applications, for lists of thousands. */
  summaries: SummaryIndex
  hydrator: Client<typeof HydratorService>
  repoServer: Client<typeof RepoServerService>
  commitServer: Client<typeof CommitServerService>
  /** The forges of repositories, asked by commit-server. */
  forges: Client<typeof ForgeService>
  /** Client for calls to appset-service on behalf of users. */
  applicationSets: Client<typeof ApplicationSetService>
  /** Client for the gateway's own calls to it. */
  appsetService: ReplicatedClient<typeof AppsetService>
  /** Clients that ask the other services by their names what is wrong. */
  diagnosed: Readonly<Record<string, ReplicatedClient<typeof ServiceDiagnosticsService>>>
  /** Returns the state of the gateway itself. */
  ownReport: (details: boolean, signal: AbortSignal) => Promise<ServiceReport>
  policy: LivePolicy
  authorization: Authorization
  signIn: SignIn
  /** The transports that the repositories of Applications may have. */
  urlPolicy: UrlPolicy
  logger: Logger
}
