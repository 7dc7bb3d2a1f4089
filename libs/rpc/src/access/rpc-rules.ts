import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { Health } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '@wadi/protocol/gen/grpc/reflection/v1/reflection_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { DiagnosticsService } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { PolicyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { argocdRpcRules } from './argocd-rpc-rules.ts'
import type { RpcRule } from './rpc-rule.ts'
import {
  anyCaller,
  filtered,
  open,
  passedOn,
  passedOnWrite,
  previews,
  published,
  reads,
  services,
  writes,
} from './rpc-rule.ts'
import { rulesOf } from './service-rules.ts'

const gateway = 'api-gateway'
const hydrator = 'hydrator'
const appset = 'appset-service'
const repo = 'repo-server'

/**
 * The access rule of every RPC of every service: this table is where to look, and what servers enforce. Where the
 * policy decides, the handler asks it for the object; the table has the resource and the action.
 */
const rpcRules: readonly (readonly [DescService, Readonly<Record<string, RpcRule>>])[] = [
  rulesOf(Health, { check: open, list: published, watch: published }),
  // The contracts are public.
  rulesOf(ServerReflection, { serverReflectionInfo: published }),

  rulesOf(ApplicationService, {
    listApplications: filtered('applications'),
    getApplication: reads('applications'),
    createApplication: writes('applications', 'create'),
    // Creating and changing need their own right for each.
    applyApplications: writes('applications', 'update'),
    updateApplication: writes('applications', 'update'),
    deleteApplication: writes('applications', 'delete'),
    watchApplications: filtered('applications'),
    hydrateApplication: writes('applications', 'sync'),
    getManifests: reads('applications'),
    listHistory: reads('applications'),
    getParameters: reads('applications'),
    setParameters: writes('applications', 'update'),
    previewParameters: previews('applications', 'update'),
    getCommitChanges: reads('applications'),
    searchApplications: filtered('applications'),
    watchApplicationSummaries: filtered('applications'),
    listApplicationChoices: filtered('applications'),
  }),
  // A branch is seen with the first Application on it.
  rulesOf(BranchService, { listBranches: filtered('applications'), getBranch: reads('applications') }),
  // The gateway and appset-service both serve it.
  rulesOf(ApplicationSetService, {
    generateApplications: passedOn(appset),
    applyApplicationSet: passedOnWrite(appset),
    deleteApplicationSet: passedOnWrite(appset),
    getApplicationSet: passedOn(appset),
    listApplicationSets: passedOn(appset),
    watchApplicationSets: passedOn(appset),
    refreshApplicationSet: passedOnWrite(appset),
  }),
  rulesOf(ProjectService, {
    listProjects: filtered('projects'),
    // What the caller may do is the caller's own to know, as with CanI.
    listPermittedProjects: anyCaller,
    getProject: reads('projects'),
    createProject: writes('projects', 'create'),
    updateProject: writes('projects', 'update'),
    deleteProject: writes('projects', 'delete'),
    // Also without the right, for members of one of the role's groups.
    createProjectToken: writes('projects', 'update'),
    deleteProjectToken: writes('projects', 'update'),
  }),
  rulesOf(ClusterService, {
    listClusters: filtered('clusters'),
    getCluster: reads('clusters'),
    createCluster: writes('clusters', 'create'),
    deleteCluster: writes('clusters', 'delete'),
  }),
  rulesOf(GpgKeyService, {
    listGpgKeys: reads('gpgkeys'),
    getGpgKey: reads('gpgkeys'),
    createGpgKeys: writes('gpgkeys', 'create'),
    deleteGpgKey: writes('gpgkeys', 'delete'),
  }),
  // Write credentials are the resource write-repositories.
  rulesOf(RepositoryService, {
    createRepository: writes('repositories', 'create'),
    listRepositories: filtered('repositories'),
    deleteRepository: writes('repositories', 'delete'),
  }),
  // The kind of the object decides: applications, projects, repositories, clusters, else settings.
  rulesOf(ResourceService, { applyResource: writes('settings', 'update') }),
  // Applications that the caller may not see are counted, and nothing of them is rendered.
  rulesOf(ReviewService, { compareRevisions: filtered('applications') }),
  rulesOf(PluginService, { listPlugins: anyCaller, getPlugin: anyCaller }),
  // Of anybody, for those who may read the policy.
  rulesOf(PolicyService, { explainAccess: reads('settings') }),
  rulesOf(DiagnosticsService, { getDiagnostics: reads('settings') }),
  // About the caller alone, and what pages have to know before anybody is signed in.
  rulesOf(SignInService, { getSignInMethods: open, getSession: open }),
  rulesOf(VersionService, { getVersion: anyCaller }),

  ...argocdRpcRules,

  rulesOf(AppsetService, { refreshRepository: services(gateway) }),
  rulesOf(HydratorService, {
    hydrateApplication: services(gateway),
    refreshRepository: services(gateway),
    pollNow: services(gateway),
    getBranchStatuses: services(gateway),
    listQueuedBranches: services(gateway),
    compareRevisions: services(gateway),
  }),
  rulesOf(RepoServerService, {
    resolveRevisions: services(gateway, hydrator, appset),
    getCommit: services(gateway, hydrator),
    listCommits: services(gateway, hydrator),
    findMergeBase: services(hydrator),
    inspectSources: services(gateway, hydrator),
    renderSources: services(gateway, hydrator),
    getParameters: services(gateway),
    editParameters: services(gateway),
    listPlugins: services(gateway),
    listProtections: services(gateway),
    listPaths: services(appset),
    readFiles: services(appset, hydrator),
    readGpgKeys: services(gateway),
    putRepository: services(gateway),
    listRepositories: services(gateway, appset),
    deleteRepository: services(gateway),
  }),
  rulesOf(CommitServerService, {
    getBranch: services(gateway, hydrator),
    getBranches: services(hydrator),
    listBranchHeads: services(hydrator),
    restoreBranch: services(hydrator),
    commitManifests: services(hydrator),
    commitUnchanged: services(hydrator),
    compareBranches: services(hydrator),
    getManifests: services(gateway, hydrator),
    listHistory: services(gateway),
    commitFiles: services(gateway),
    putRepository: services(gateway),
    listRepositories: services(gateway),
    deleteRepository: services(gateway),
  }),
  rulesOf(ForgeService, {
    listPullRequests: services(hydrator),
    putPullRequestReview: services(hydrator),
    getCommitStatus: services(hydrator),
    putPullRequest: services(hydrator),
    closePullRequest: services(hydrator),
  }),
  rulesOf(CommandService, {
    describeCommands: services(repo),
    runScript: services(repo),
    runYtt: services(repo),
  }),
  // A sidecar's socket may be open to whoever is in its container, as Argo CD's are: then no caller proves who it is.
  rulesOf(ConfigManagementPluginService, {
    generateManifest: services(repo),
    checkPluginConfiguration: services(repo),
    matchRepository: services(repo),
    getParametersAnnouncement: services(repo),
  }),
]

const rulesByMethod = new Map(
  rpcRules.flatMap(([service, rules]) =>
    service.methods.map((method): [string, RpcRule | undefined] => [
      methodName(service, method),
      rules[method.localName],
    ]),
  ),
)

/** Returns the rule of an RPC; undefined for one that the table does not know, which nobody may call. */
export function rpcRuleOf(service: DescService, method: Pick<DescMethod, 'name'>): RpcRule | undefined {
  return rulesByMethod.get(methodName(service, method))
}

function methodName(service: DescService, method: Pick<DescMethod, 'name'>): string {
  return `${service.typeName}/${method.name}`
}
