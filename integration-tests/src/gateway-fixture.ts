import type { JsonObject } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import type { Client } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { CertificateService } from '@wadi/protocol/gen/argocd/certificate/certificate_pb.ts'
import { ApplicationService as ArgocdApplicationService } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** The public API as the user of one token sees it. */
export interface GatewayClient extends Disposable {
  accounts: Client<typeof AccountService>
  certificates: Client<typeof CertificateService>
  applications: Client<typeof ApplicationService>
  applicationSets: Client<typeof ApplicationSetService>
  argocdApplications: Client<typeof ArgocdApplicationService>
  branches: Client<typeof BranchService>
  clusters: Client<typeof ClusterService>
  gpgKeys: Client<typeof GpgKeyService>
  plugins: Client<typeof PluginService>
  projects: Client<typeof ProjectService>
  repositories: Client<typeof RepositoryService>
  resources: Client<typeof ResourceService>
  reviews: Client<typeof ReviewService>
  sessions: Client<typeof SessionService>
  tools: Client<typeof ToolService>
}

/** The protocol of a connection. */
export type Protocol = 'Connect' | 'gRPC'

/** The parts of an Application that a test reads. */
export interface ApplicationState {
  /** `normal` or `hard` while a hydration that was asked for has not ended; empty otherwise. */
  request: string
  status: SourceHydratorStatus
}

/** Connects to a gateway, with an empty token as nobody; disposal ends the calls under way. */
export function connectGateway(
  address: string,
  token: string,
  protocol: Protocol = 'Connect',
): GatewayClient {
  const sessionManager = new Http2SessionManager(address)
  const options: Parameters<typeof createGrpcTransport>[0] = {
    baseUrl: address,
    sessionManager,
    interceptors: [
      (next) => (request) => {
        if (token !== '') request.header.set('authorization', `Bearer ${token}`)
        return next(request)
      },
    ],
  }
  const transport =
    protocol === 'gRPC'
      ? createGrpcTransport(options)
      : createConnectTransport({ ...options, httpVersion: '2' })
  return {
    accounts: createClient(AccountService, transport),
    certificates: createClient(CertificateService, transport),
    applications: createClient(ApplicationService, transport),
    applicationSets: createClient(ApplicationSetService, transport),
    argocdApplications: createClient(ArgocdApplicationService, transport),
    branches: createClient(BranchService, transport),
    clusters: createClient(ClusterService, transport),
    gpgKeys: createClient(GpgKeyService, transport),
    plugins: createClient(PluginService, transport),
    projects: createClient(ProjectService, transport),
    repositories: createClient(RepositoryService, transport),
    resources: createClient(ResourceService, transport),
    reviews: createClient(ReviewService, transport),
    sessions: createClient(SessionService, transport),
    tools: createClient(ToolService, transport),
    [Symbol.dispose]: () => sessionManager.abort(),
  }
}

/**
 * Watches an Application until it is as wanted.
 * @throws Error with the last state that was seen after three minutes
 */
export async function waitForApplication(
  gateway: GatewayClient,
  name: string,
  isWanted: (state: ApplicationState) => boolean,
): Promise<SourceHydratorStatus> {
  using call = abortAfter(hangLimitMs)
  let last = 'nothing'
  try {
    const watch = gateway.applications.watchApplications({ name }, { signal: call.signal, timeoutMs: 0 })
    for await (const { application } of watch) {
      const state = readState(application ?? {})
      if (isWanted(state)) return state.status
      last = JSON.stringify(state, undefined, 2)
    }
  } catch (cause) {
    throw new Error(`application ${name} did not become as wanted; last seen: ${last}`, { cause })
  }
  throw new Error(`the watch of application ${name} ended; last seen: ${last}`)
}

/** Returns true if nothing is under way or requested any more. */
export function isSettled({ request, status }: ApplicationState): boolean {
  const { currentOperation } = status
  return request === '' && currentOperation !== undefined && currentOperation.phase !== 'Hydrating'
}

/** Returns a test that is true if the newest run succeeded for this dry commit. */
export function isHydratedAt(drySha: string): (state: ApplicationState) => boolean {
  return (state) => {
    const { currentOperation } = state.status
    return isSettled(state) && currentOperation?.phase === 'Hydrated' && currentOperation.drySHA === drySha
  }
}

function readState(application: JsonObject): ApplicationState {
  const { metadata, status } = application as unknown as {
    metadata: { annotations?: Record<string, string> }
    status?: { sourceHydrator?: SourceHydratorStatus }
  }
  const { annotations = {} } = metadata
  const request = annotations['argocd.argoproj.io/hydrate'] ?? annotations['argocd.argoproj.io/refresh'] ?? ''
  return { request, status: status?.sourceHydrator ?? {} }
}

/** Leaving a loop over a stream does not end the call, and an open one would keep the process alive. */
function abortAfter(milliseconds: number): Disposable & { signal: AbortSignal } {
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(milliseconds)])
  return { signal, [Symbol.dispose]: () => end.abort() }
}
