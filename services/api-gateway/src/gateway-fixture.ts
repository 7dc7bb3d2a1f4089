import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, type DescService } from '@bufbuild/protobuf'
import {
  type ConnectRouter,
  createClient,
  createContextValues,
  createRouterTransport,
  type HandlerContext,
  type Interceptor,
  type ServiceImpl,
  type Transport,
} from '@connectrpc/connect'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import {
  ServiceDiagnosticsService,
  ServiceReportSchema,
} from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { fromConnectError, toConnectError } from '@wadi/rpc/error-mapping.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { administrator, type Caller, callerKey } from './authentication/caller.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { openSignIn, type SignInOptions } from './sessions/sign-in.ts'
import { branchKeyOf } from './applications/application-view.ts'
import { followSummaries } from './summaries/summary-index.ts'
import type { GatewayContext } from './context.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'

/** Answers of the services behind the gateway; an RPC that is left out is unimplemented. */
interface Peers {
  hydrator?: Partial<ServiceImpl<typeof HydratorService>>
  repoServer?: Partial<ServiceImpl<typeof RepoServerService>>
  commitServer?: Partial<ServiceImpl<typeof CommitServerService>>
  forges?: Partial<ServiceImpl<typeof ForgeService>>
  applicationSets?: Partial<ServiceImpl<typeof ApplicationSetService>>
  appsetService?: Partial<ServiceImpl<typeof AppsetService>>
  /** Answers of services by their names about what is wrong; none by default. */
  diagnosed?: Record<string, Partial<ServiceImpl<typeof ServiceDiagnosticsService>>>
}

/** A gateway's context with a real store and peers in memory. */
export interface GatewayFixture extends AsyncDisposable {
  context: GatewayContext
  /** `Service/Method` of every call that reached a peer. */
  calls: string[]
  /** The unary requests that reached a peer, without their type names. */
  requests: Record<string, unknown>[]
  /** Every line of the log. */
  lines: string[]
}

/** Opens a gateway's context over an empty store, where nobody but the administrator may do anything. */
export async function openGatewayFixture(
  peers: Peers = {},
  signInOptions: SignInOptions = {},
): Promise<GatewayFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'wadi-gateway-'))
  const store = openSqliteStore({ file: join(directory, 'state.db') })
  const calls: string[] = []
  const requests: Record<string, unknown>[] = []
  const lines: string[] = []
  const record: Interceptor = (next) => (request) => {
    calls.push(`${request.service.name}/${request.method.name}`)
    if (!request.stream) {
      const { $typeName: _type, ...fields } = request.message
      requests.push(fields)
    }
    return next(request)
  }
  const connect = <S extends DescService>(service: S, implementation: Partial<ServiceImpl<S>> = {}) =>
    createClient(
      service,
      withDomainErrors(
        createRouterTransport((router: ConnectRouter) => router.service(service, implementation), {
          router: { interceptors: [record, throwConnectErrors] },
        }),
      ),
    )
  const policy = await followPolicy(store, (error) => lines.push(error))
  const summaries = await followSummaries(store)
  const signIn = await openSignIn(store, { responseTime: { least: 0, most: 0 }, ...signInOptions })
  return {
    context: {
      store,
      summaries,
      policy,
      authorization: createAuthorization(policy),
      signIn,
      urlPolicy: { allowFile: false, allowPlainHttp: 'loopback' },
      hydrator: connect(HydratorService, peers.hydrator),
      repoServer: connect(RepoServerService, peers.repoServer),
      commitServer: connect(CommitServerService, peers.commitServer),
      forges: connect(ForgeService, peers.forges),
      applicationSets: connect(ApplicationSetService, peers.applicationSets),
      appsetService: Object.assign(connect(AppsetService, peers.appsetService), { replicas: async () => 1 }),
      diagnosed: Object.fromEntries(
        Object.entries(peers.diagnosed ?? {}).map(([name, implementation]) => [
          name,
          Object.assign(connect(ServiceDiagnosticsService, implementation), { replicas: async () => 1 }),
        ]),
      ),
      ownReport: async () => create(ServiceReportSchema, { service: 'api-gateway', version: 'v1.0.0' }),
      logger: createLogger({
        service: 'api-gateway',
        level: 'debug',
        format: 'json',
        write: (line) => lines.push(line),
      }),
    },
    calls,
    requests,
    lines,
    async [Symbol.asyncDispose]() {
      await signIn[Symbol.asyncDispose]()
      await summaries[Symbol.asyncDispose]()
      await policy[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Gives what a peer throws its code, as every server of the mesh does. */
const throwConnectErrors: Interceptor = (next) => async (request) => {
  try {
    return await next(request)
  } catch (error) {
    throw toConnectError(error)
  }
}

/** Throws domain errors, as the clients between services do; streams keep their errors. */
function withDomainErrors(transport: Transport): Transport {
  return {
    ...transport,
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      try {
        return await transport.unary(method, signal, timeoutMs, header, input, contextValues)
      } catch (error) {
        throw fromConnectError(error, signal)
      }
    },
  }
}

/** Returns the context that a handler receives along with its request; by default the administrator calls. */
export function callContext(requestSignal?: AbortSignal, caller: Caller = administrator): HandlerContext {
  return handlerContext(VersionService.method.getVersion, {
    contextValues: createContextValues().set(callerKey, caller),
    ...(requestSignal && { requestSignal }),
  })
}

/** The dry repository of the sample Applications. */
export const repoURL = 'https://git.example.com/deploy.git'

/** An Application that is hydrated to `environments/prod`. */
export function sampleApplication(
  name: string,
  spec: { sourceHydrator?: Record<string, unknown>; [field: string]: unknown } = {},
): Resource {
  const { sourceHydrator, ...rest } = spec
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: controlPlaneNamespace },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: `apps/${name}` },
        syncSource: { targetBranch: 'environments/prod', path: name },
        ...sourceHydrator,
      },
      ...rest,
    },
  }
}

/** The record of the branch of an Application, which one run hydrated from `drySha`. */
export function branchRecord(application: Resource, drySha: string): Resource {
  const group = {
    repoURL,
    targetRevision: 'main',
    phase: 'Hydrated',
    message: '',
    failures: [],
    startedAt: '2026-08-20T10:00:00Z',
    finishedAt: '2026-08-20T10:00:05Z',
    drySha,
    success: {
      drySha,
      hydratedSha: 'b'.repeat(40),
      members: 'm',
      settings: 's',
      finishedAt: '2026-08-20T10:00:05Z',
    },
  }
  return {
    apiVersion: 'wadi.dev/v1alpha1',
    kind: 'HydratedBranch',
    metadata: {
      name: branchKeyOf(parseApplication(application)) ?? '',
      namespace: controlPlaneNamespace,
    },
    spec: { repoURL, branch: 'environments/prod' },
    status: { groups: [group], applications: 1, rendered: 1, milliseconds: 5000 },
  }
}

/** Stores an object that is new or changed, its status included. */
export async function storeWithStatus({ store }: GatewayContext, resource: Resource): Promise<Resource> {
  const { kind, metadata } = resource
  const current = await store.get(kind, metadata.namespace ?? '', metadata.name)
  const { metadata: stored } = current ?? (await store.create(resource))
  return store.updateStatus({ ...resource, metadata: stored })
}
