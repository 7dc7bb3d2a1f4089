import { once } from 'node:events'
import { createServer } from 'node:http'
import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import {
  ApplicationBranchesSchema,
  ApplicationService,
  type GetManifestsRequest,
  type GetParametersRequest,
  type SetParametersRequest,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GetParametersResponseSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import {
  BranchService,
  type GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import {
  DiagnosticsService,
  type GetDiagnosticsResponseSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import type {
  ApplicationFindingSchema,
  SearchFindingsRequest,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import {
  type CreateRepositoryRequest,
  RepositoryService,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import type {
  CompareRevisionsRequest,
  CompareRevisionsResponseSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { RunSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { GetManifestsResponseSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { Plugin } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { RepositorySchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { KeptToolSchema } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationSets } from './application-sets-fixture.ts'
import { branchService } from './branch-service-fixture.ts'
import { resourceService } from './resource-service-fixture.ts'
import { runAnswers } from './run-answers-fixture.ts'
import { type ToolAnswers, toolService } from './tool-service-fixture.ts'

/** A server of the public API that keeps everything in memory: the peer of the command line in its tests. */
export class Gateway implements AsyncDisposable {
  /** `host:port`. */
  address = ''
  /** The contents of the branches of every Application. */
  branches: MessageInitShape<typeof ApplicationBranchesSchema> = {
    syncBranch: 'environments/prod',
    syncDrySha: '1111111111111111111111111111111111111111',
    hydrateToBranch: 'environments/prod-next',
    hydrateToDrySha: '2222222222222222222222222222222222222222',
    promotion: 'Waiting',
  }
  /** The tools of which the branch of every Application keeps another version. */
  keptTools: MessageInitShape<typeof KeptToolSchema>[] = []
  /** Applications by name. */
  readonly applications = new Map<string, JsonObject>()
  /** States that a watch delivers after the present one, one stream each time. */
  readonly comingStates: JsonObject[] = []
  /** `Service/Method` and selected headers of every call. */
  readonly calls: { method: string; authorization: string; header: string }[] = []
  readonly applied: JsonObject[] = []
  /** The reason why pull requests are not reviewed, by the repositories with write credentials. */
  reviewMessage = ''
  readonly repositories: CreateRepositoryRequest[] = []
  /** The runs of the hydrator, the newest first. */
  runs: MessageInitShape<typeof RunSchema>[] = []
  /** The answer of GetManifests. */
  manifests = (_request: GetManifestsRequest): MessageInitShape<typeof GetManifestsResponseSchema> => ({})
  /** The answer of GetParameters. */
  parameters = (_request: GetParametersRequest): MessageInitShape<typeof GetParametersResponseSchema> => ({})
  /** Every request of CompareRevisions, and the messages of each answer. */
  readonly comparisons: CompareRevisionsRequest[] = []
  comparison: MessageInitShape<typeof CompareRevisionsResponseSchema>[] = []
  /** Every request of SearchFindings, and the findings that each page is of. */
  readonly findingSearches: SearchFindingsRequest[] = []
  findings: MessageInitShape<typeof ApplicationFindingSchema>[] = []
  findingsLeftOut = 0
  readonly plugins: Plugin[] = []
  /** The answer of GetDiagnostics. */
  diagnostics: MessageInitShape<typeof GetDiagnosticsResponseSchema> = {}
  readonly hydratedBranches: GetBranchResponse[] = []
  tools: ToolAnswers = {}
  readonly applicationSets = new ApplicationSets()
  /** Every request of SetParameters; each is answered with `edit` on the branch `main`. */
  readonly changes: SetParametersRequest[] = []
  edit = {
    path: 'apps/guestbook/.argocd-source.yaml',
    before: '',
    after: '',
    problems: [] as string[],
    warnings: [] as string[],
  }
  readonly #server = createServer(
    connectNodeAdapter({
      routes: (router) =>
        router
          .service(ApplicationService, this.#applicationService())
          .service(ApplicationSetService, this.applicationSets.service())
          .service(BranchService, branchService(this.hydratedBranches))
          .service(DiagnosticsService, { getDiagnostics: () => this.diagnostics })
          .service(PluginService, this.#pluginService())
          .service(RepositoryService, this.#repositoryService())
          .service(ResourceService, resourceService(this.applied))
          .service(ReviewService, { compareRevisions: (request) => this.#compare(request) })
          .service(
            ToolService,
            toolService(() => this.tools),
          )
          .service(VersionService, {
            getVersion: () => ({ version: '0.1.0', nodeVersion: 'v26.10.0', platform: 'linux/x64' }),
          }),
      interceptors: [
        (next) => (request) => {
          this.calls.push({
            method: request.method.name,
            authorization: request.header.get('authorization') ?? '',
            header: request.header.get('x-extra') ?? '',
          })
          return next(request)
        },
      ],
    }),
  )

  /** Starts a server on a free port of this machine. */
  static async start(): Promise<Gateway> {
    const gateway = new Gateway()
    gateway.#server.listen(0, '127.0.0.1')
    await once(gateway.#server, 'listening')
    const address = gateway.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    gateway.address = `127.0.0.1:${address.port}`
    return gateway
  }

  /** The variables that lead the command line here. */
  get environment(): Record<string, string> {
    return { WADI_SERVER: `http://${this.address}`, WADI_AUTH_TOKEN: 'test-token' }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #find(name: string): JsonObject {
    const application = this.applications.get(name)
    if (application) return application
    throw new ConnectError(`applications.argoproj.io "${name}" not found`, Code.NotFound)
  }

  #applicationService(): Partial<ServiceImpl<typeof ApplicationService>> {
    const find = (name: string) => this.#find(name)
    const { applications, comingStates } = this
    return {
      listApplications: ({ selector }) => {
        if (selector === 'nobody=matches') return { applications: [] }
        return { applications: [...applications.values()] }
      },
      getApplication: ({ name }) => ({
        application: find(name),
        branches: create(ApplicationBranchesSchema, this.branches),
        keptTools: this.keptTools,
      }),
      createApplication: ({ application = {} }) => {
        const name = textAt(application, 'metadata', 'name')
        const outcome = applications.has(name) ? 'updated' : 'created'
        applications.set(name, application)
        return { application, outcome }
      },
      applyApplications: ({ applications: sent, dryRun }) => {
        const refused = sent.find((application) => textAt(application, 'metadata', 'name') === 'refused')
        if (refused) {
          throw new ConnectError('Application argocd/refused: the project forbids it', Code.PermissionDenied)
        }
        if (!dryRun) this.applied.push(...sent)
        return { results: sent.map((application) => ({ application, outcome: 'created' })) }
      },
      updateApplication: ({ application = {} }) => {
        applications.set(textAt(application, 'metadata', 'name'), application)
        return { application }
      },
      deleteApplication: ({ name }) => {
        find(name)
        applications.delete(name)
        return {}
      },
      async *watchApplications({ name }, { signal }) {
        yield { type: 'ADDED', application: find(name) }
        for (const application of comingStates.splice(0, 1)) {
          applications.set(name, application)
          yield { type: 'MODIFIED', application }
        }
        // A stream that ends while more is to come: the command line must take it up again.
        if (comingStates.length === 0 && !signal.aborted) await once(signal, 'abort')
      },
      searchFindings: (request) => {
        this.findingSearches.push(request)
        const { offset, limit } = request
        const findings = this.findings.slice(offset, offset + limit)
        return { findings, total: this.findings.length, leftOut: this.findingsLeftOut }
      },
      hydrateApplication: ({ name }) => ({ application: find(name) }),
      ...runAnswers(() => this.runs),
      getManifests: (request) => {
        find(request.name)
        const drySha = '2'.repeat(40)
        return { ...this.manifests(request), drySha, hydratedSha: 'a'.repeat(40) }
      },
      getParameters: (request) => {
        find(request.name)
        return this.parameters(request)
      },
      setParameters: (request) => {
        find(request.name)
        this.changes.push(request)
        return {
          file: this.edit,
          branch: 'main',
          drySha: request.dryRun ? '' : 'c'.repeat(40),
          editedSha: 'b'.repeat(40),
        }
      },
      listHistory: () => ({
        entries: [
          {
            hydratedSha: 'b'.repeat(40),
            drySha: '2'.repeat(40),
            date: '2026-08-21T10:00:00Z',
            author: 'Ada <ada@example.com>',
            subject: 'Raise replicas\u001b[2J',
          },
          {
            hydratedSha: 'a'.repeat(40),
            date: '2026-08-20T10:00:00Z',
            author: 'Bo <bo@example.com>',
            subject: 'Fix',
          },
        ],
      }),
    }
  }

  async *#compare(request: CompareRevisionsRequest) {
    this.comparisons.push(request)
    yield* this.comparison
  }

  #pluginService(): ServiceImpl<typeof PluginService> {
    return {
      listPlugins: () => ({ plugins: this.plugins }),
      getPlugin: ({ name }) => {
        const plugin = this.plugins.find((known) => known.name === name)
        if (plugin) return { plugin }
        throw new ConnectError(`plugin "${name}" not found; there is none`, Code.NotFound)
      },
    }
  }

  #repositoryService(): ServiceImpl<typeof RepositoryService> {
    return {
      createRepository: (request) => {
        this.repositories.push(request)
        return {}
      },
      listRepositories: ({ write }) => ({
        repositories: this.repositories.map((request) =>
          create(RepositorySchema, {
            repoUrl: request.repoUrl,
            project: request.project,
            credentials: request.password === '' ? 'none' : 'password',
            isPrefix: request.isPrefix,
            reachable: true,
            ...(write && { message: this.reviewMessage }),
          }),
        ),
      }),
      getRepositoryUse: () => ({}),
      deleteRepository: () => ({}),
      getRepositoryPages: () => ({}),
    }
  }
}
