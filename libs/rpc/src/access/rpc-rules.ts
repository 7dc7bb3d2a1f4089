import type { DescMethod, DescService } from '@bufbuild/protobuf'
import type { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import type { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { Health } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import type { ServerReflection } from '@wadi/protocol/gen/grpc/reflection/v1/reflection_pb.ts'
import type { ServerReflection as ServerReflectionV1Alpha } from '@wadi/protocol/gen/grpc/reflection/v1alpha/reflection_pb.ts'
import type { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import type { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import type { DiagnosticsService } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import type { EnvironmentService } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import type { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import type { PolicyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import type { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import type { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import type { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import type { SearchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import type { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import type { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import type { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import type { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { ServiceDiagnosticsService } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import type { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
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
import { type RulesByService, rulesOf } from './service-rules.ts'

const gateway = 'api-gateway'
const hydrator = 'hydrator'
const appset = 'appset-service'
const repo = 'repo-server'

/**
 * The access rule of every RPC of every service: this table is where to look, and what servers enforce. Where the
 * policy decides, the handler asks it for the object; the table has the resource and the action. The contracts are imported as types
 * alone: a service loads those that it serves and calls.
 */
const rpcRules: RulesByService = {
  'grpc.health.v1.Health': rulesOf<typeof Health>({ check: open, list: published, watch: published }),
  // The contracts are public.
  'grpc.reflection.v1.ServerReflection': rulesOf<typeof ServerReflection>({
    serverReflectionInfo: published,
  }),
  'grpc.reflection.v1alpha.ServerReflection': rulesOf<typeof ServerReflectionV1Alpha>({
    serverReflectionInfo: published,
  }),

  'wadi.api_gateway.v1.ApplicationService': rulesOf<typeof ApplicationService>({
    listApplications: filtered('applications'),
    getApplication: reads('applications'),
    createApplication: writes('applications', 'create'),
    // Creating and changing need their own right for each.
    applyApplications: writes('applications', 'update'),
    updateApplication: writes('applications', 'update'),
    labelApplication: writes('applications', 'update'),
    moveApplication: writes('applications', 'update'),
    deleteApplication: writes('applications', 'delete'),
    watchApplications: filtered('applications'),
    hydrateApplication: writes('applications', 'sync'),
    getManifests: reads('applications'),
    listObjects: reads('applications'),
    getObject: reads('applications'),
    listObjectOrigins: reads('applications'),
    explainObject: reads('applications'),
    listHistory: reads('applications'),
    listRuns: reads('applications'),
    getRun: reads('applications'),
    getParameters: reads('applications'),
    setParameters: writes('applications', 'update'),
    restoreDrySource: writes('applications', 'update'),
    previewParameters: previews('applications', 'update'),
    getGates: reads('applications'),
    getCommitChanges: reads('applications'),
    compareManifests: reads('applications'),
    searchApplications: filtered('applications'),
    watchApplicationSummaries: filtered('applications'),
    listApplicationChoices: filtered('applications'),
    searchFindings: filtered('applications'),
  }),
  // A branch is seen with the first Application on it.
  'wadi.api_gateway.v1.BranchService': rulesOf<typeof BranchService>({
    listBranches: filtered('applications'),
    getBranch: reads('applications'),
  }),
  // So is a stage; a change of its pull request needs the right to every Application of the staging branch.
  'wadi.api_gateway.v1.EnvironmentService': rulesOf<typeof EnvironmentService>({
    listEnvironments: filtered('applications'),
    getDryCommit: filtered('applications'),
    changePullRequest: writes('applications', 'sync'),
  }),
  // So is all that Applications are made of.
  'wadi.api_gateway.v1.SearchService': rulesOf<typeof SearchService>({
    search: filtered('applications'),
  }),
  // The gateway and appset-service both serve it.
  'wadi.application_sets.v1.ApplicationSetService': rulesOf<typeof ApplicationSetService>({
    generateApplications: passedOn(appset),
    applyApplicationSet: passedOnWrite(appset),
    deleteApplicationSet: passedOnWrite(appset),
    getApplicationSet: passedOn(appset),
    listApplicationSets: passedOn(appset),
    watchApplicationSets: passedOn(appset),
    refreshApplicationSet: passedOnWrite(appset),
  }),
  'wadi.api_gateway.v1.ProjectService': rulesOf<typeof ProjectService>({
    listProjects: filtered('projects'),
    // What the caller may do is the caller's own to know, as with CanI.
    listPermittedProjects: anyCaller,
    getProject: reads('projects'),
    createProject: writes('projects', 'create'),
    updateProject: writes('projects', 'update'),
    previewProject: reads('projects'),
    deleteProject: writes('projects', 'delete'),
    // Also without the right, for members of one of the role's groups.
    createProjectToken: writes('projects', 'update'),
    deleteProjectToken: writes('projects', 'update'),
  }),
  'wadi.api_gateway.v1.ClusterService': rulesOf<typeof ClusterService>({
    listClusters: filtered('clusters'),
    getCluster: reads('clusters'),
    createCluster: writes('clusters', 'create'),
    deleteCluster: writes('clusters', 'delete'),
  }),
  'wadi.api_gateway.v1.GpgKeyService': rulesOf<typeof GpgKeyService>({
    listGpgKeys: reads('gpgkeys'),
    getGpgKey: reads('gpgkeys'),
    listSigningKeys: reads('gpgkeys'),
    createGpgKeys: writes('gpgkeys', 'create'),
    deleteGpgKey: writes('gpgkeys', 'delete'),
  }),
  // Write credentials are the resource write-repositories.
  'wadi.api_gateway.v1.RepositoryService': rulesOf<typeof RepositoryService>({
    createRepository: writes('repositories', 'create'),
    listRepositories: filtered('repositories'),
    // For the repositories of Applications that the caller may see.
    getRepositoryPages: filtered('applications'),
    getRepositoryUse: reads('repositories'),
    deleteRepository: writes('repositories', 'delete'),
  }),
  // The kind of the object decides: applications, projects, repositories, clusters, else settings.
  'wadi.api_gateway.v1.ResourceService': rulesOf<typeof ResourceService>({
    applyResource: writes('settings', 'update'),
  }),
  // Applications that the caller may not see are counted, and nothing of them is rendered.
  'wadi.api_gateway.v1.ReviewService': rulesOf<typeof ReviewService>({
    compareRevisions: filtered('applications'),
  }),
  'wadi.api_gateway.v1.PluginService': rulesOf<typeof PluginService>({
    listPlugins: anyCaller,
    getPlugin: anyCaller,
  }),
  // Of anybody, for those who may read the policy.
  'wadi.api_gateway.v1.PolicyService': rulesOf<typeof PolicyService>({ explainAccess: reads('settings') }),
  'wadi.api_gateway.v1.ToolService': rulesOf<typeof ToolService>({
    listTools: anyCaller,
    addTool: writes('settings', 'update'),
    removeTool: writes('settings', 'update'),
    verifyTools: reads('settings'),
  }),
  'wadi.api_gateway.v1.DiagnosticsService': rulesOf<typeof DiagnosticsService>({
    getDiagnostics: reads('settings'),
  }),
  // About the caller alone, and what pages have to know before anybody is signed in.
  'wadi.api_gateway.v1.SignInService': rulesOf<typeof SignInService>({
    getSignInMethods: open,
    getSession: open,
  }),
  'wadi.api_gateway.v1.VersionService': rulesOf<typeof VersionService>({ getVersion: anyCaller }),

  ...argocdRpcRules,

  'wadi.diagnostics.v1.ServiceDiagnosticsService': rulesOf<typeof ServiceDiagnosticsService>({
    diagnose: services(gateway),
  }),
  'wadi.appset_service.v1.AppsetService': rulesOf<typeof AppsetService>({
    refreshRepository: services(gateway),
  }),
  'wadi.hydrator.v1.HydratorService': rulesOf<typeof HydratorService>({
    hydrateApplication: services(gateway),
    refreshRepository: services(gateway),
    pollNow: services(gateway),
    getBranchStatuses: services(gateway),
    listQueuedBranches: services(gateway),
    listRuns: services(gateway),
    findObjects: services(gateway),
    compareRevisions: services(gateway),
    getGates: services(gateway),
    changePullRequest: services(gateway),
  }),
  'wadi.repo_server.v1.RepoServerService': rulesOf<typeof RepoServerService>({
    resolveRevisions: services(gateway, hydrator, appset),
    getCommit: services(gateway, hydrator),
    listCommits: services(gateway, hydrator),
    listCommitsBetween: services(gateway),
    findMergeBase: services(hydrator),
    inspectSources: services(gateway, hydrator),
    renderSources: services(gateway, hydrator),
    getParameters: services(gateway),
    editParameters: services(gateway),
    listPlugins: services(gateway),
    listProtections: services(gateway),
    listTools: services(gateway),
    addTool: services(gateway),
    removeTool: services(gateway),
    verifyTools: services(gateway),
    listPaths: services(appset),
    readFiles: services(appset, hydrator),
    readChangedManifests: services(hydrator),
    readRestoredFiles: services(gateway),
    readGpgKeys: services(gateway),
    checkSignature: services(hydrator),
    putRepository: services(gateway),
    // The answer may have the password of a proxy.
    getServerWay: services(appset),
    putServerTrust: services(gateway),
    listRepositories: services(gateway, appset),
    deleteRepository: services(gateway),
  }),
  'wadi.commit_server.v1.CommitServerService': rulesOf<typeof CommitServerService>({
    getBranch: services(gateway, hydrator),
    getBranches: services(gateway, hydrator),
    listBranchHeads: services(hydrator),
    restoreBranch: services(hydrator),
    commitManifests: services(hydrator),
    commitUnchanged: services(hydrator),
    compareBranches: services(hydrator),
    getManifests: services(gateway),
    getDirectories: services(hydrator),
    listHistory: services(gateway),
    commitFiles: services(gateway),
    getRepositoryPages: services(gateway),
    putRepository: services(gateway),
    putServerTrust: services(gateway),
    listRepositories: services(gateway),
    listSigningKeys: services(gateway),
    deleteRepository: services(gateway),
  }),
  'wadi.commit_server.v1.ForgeService': rulesOf<typeof ForgeService>({
    listPullRequests: services(hydrator),
    putPullRequestReview: services(hydrator),
    getCommitStatus: services(gateway, hydrator),
    putPullRequest: services(hydrator),
    closePullRequest: services(hydrator),
    reopenPullRequest: services(hydrator),
  }),
  'wadi.cmp_server.v1.CommandService': rulesOf<typeof CommandService>({
    describeCommands: services(repo),
    runScript: services(repo),
    runYtt: services(repo),
  }),
  // A sidecar's socket may be open to whoever is in its container, as Argo CD's are: then no caller proves who it is.
  'plugin.ConfigManagementPluginService': rulesOf<typeof ConfigManagementPluginService>({
    generateManifest: services(repo),
    checkPluginConfiguration: services(repo),
    matchRepository: services(repo),
    getParametersAnnouncement: services(repo),
  }),
}

/** Returns the rule of an RPC; undefined for one that the table does not know, which nobody may call. */
export function rpcRuleOf(
  { typeName }: Pick<DescService, 'typeName'>,
  { localName }: Pick<DescMethod, 'localName'>,
): RpcRule | undefined {
  return rpcRules[typeName]?.[localName]
}
