import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { ApplicationSetService as ArgocdApplicationSetService } from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import { ApplicationService as ArgocdApplicationService } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { CertificateService } from '@wadi/protocol/gen/argocd/certificate/certificate_pb.ts'
import { ClusterService as ArgocdClusterService } from '@wadi/protocol/gen/argocd/cluster/cluster_pb.ts'
import { ProjectService as ArgocdProjectService } from '@wadi/protocol/gen/argocd/project/project_pb.ts'
import { RepoCredsService } from '@wadi/protocol/gen/argocd/repocreds/repocreds_pb.ts'
import { RepositoryService as ArgocdRepositoryService } from '@wadi/protocol/gen/argocd/repository/repository_service_pb.ts'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { VersionService as ArgocdVersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { EnvironmentService } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { DiagnosticsService } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { PolicyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import { SearchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import type { GatewayContext } from './context.ts'
import { EnvironmentReader } from './environments/environments.ts'
import { routeArgocdServices } from './argocd/route-argocd-services.ts'
import { applicationRoutes } from './application-routes.ts'
import { addTool } from './routes/add-tool.ts'
import { applyApplicationSet } from './routes/apply-application-set.ts'
import { deleteApplicationSet } from './routes/delete-application-set.ts'
import { generateApplications } from './routes/generate-applications.ts'
import { getApplicationSet } from './routes/get-application-set.ts'
import { listApplicationSets } from './routes/list-application-sets.ts'
import { refreshApplicationSet } from './routes/refresh-application-set.ts'
import { watchApplicationSets } from './routes/watch-application-sets.ts'
import { applyResource } from './routes/apply-resource.ts'
import { changePullRequest } from './routes/change-pull-request.ts'
import { getBranch } from './routes/get-branch.ts'
import { listBranches } from './routes/list-branches.ts'
import { compareRevisions } from './routes/compare-revisions.ts'
import { createCluster } from './routes/create-cluster.ts'
import { createGpgKeys } from './routes/create-gpg-keys.ts'
import { createProject } from './routes/create-project.ts'
import { deleteCluster } from './routes/delete-cluster.ts'
import { deleteGpgKey } from './routes/delete-gpg-key.ts'
import { deleteProject } from './routes/delete-project.ts'
import { createProjectToken } from './routes/create-project-token.ts'
import { deleteProjectToken } from './routes/delete-project-token.ts'
import { getCluster } from './routes/get-cluster.ts'
import { getDryCommit } from './routes/get-dry-commit.ts'
import { getGpgKey } from './routes/get-gpg-key.ts'
import { getProject } from './routes/get-project.ts'
import { getRepositoryUse } from './routes/get-repository-use.ts'
import { previewProject } from './routes/preview-project.ts'
import { explainAccess } from './routes/explain-access.ts'
import { getDiagnostics } from './routes/get-diagnostics.ts'
import { getSession } from './routes/get-session.ts'
import { getSignInMethods } from './routes/get-sign-in-methods.ts'
import { getVersion } from './routes/get-version.ts'
import { listClusters } from './routes/list-clusters.ts'
import { listEnvironments } from './routes/list-environments.ts'
import { listGpgKeys } from './routes/list-gpg-keys.ts'
import { listSigningKeys } from './routes/list-signing-keys.ts'
import { listPermittedProjects } from './routes/list-permitted-projects.ts'
import { listProjects } from './routes/list-projects.ts'
import { getPlugin } from './routes/get-plugin.ts'
import { listPlugins } from './routes/list-plugins.ts'
import { createRepository } from './routes/create-repository.ts'
import { deleteRepository } from './routes/delete-repository.ts'
import { getRepositoryPages } from './routes/get-repository-pages.ts'
import { listTools } from './routes/list-tools.ts'
import { removeTool } from './routes/remove-tool.ts'
import { verifyTools } from './routes/verify-tools.ts'
import { listRepositories } from './routes/list-repositories.ts'
import { search } from './routes/search.ts'
import { updateProject } from './routes/update-project.ts'
import type { ConnectRouter } from '@connectrpc/connect'

/** The services of the public API, in the order in which reflection lists them. */
export const publicServices: readonly DescService[] = [
  ApplicationService,
  ApplicationSetService,
  AccountService,
  SessionService,
  SettingsService,
  ArgocdVersionService,
  ArgocdApplicationService,
  ArgocdApplicationSetService,
  ArgocdProjectService,
  ArgocdRepositoryService,
  RepoCredsService,
  ArgocdClusterService,
  CertificateService,
  BranchService,
  EnvironmentService,
  SearchService,
  ClusterService,
  GpgKeyService,
  PluginService,
  ProjectService,
  RepositoryService,
  ResourceService,
  PolicyService,
  DiagnosticsService,
  ToolService,
  SignInService,
  ReviewService,
  VersionService,
]

/** Limits for callers who are not signed in, in bytes: names, passwords and tokens are small. */
const anonymousLimits = { readMaxBytes: 64 * 1024 }

/** Limits for all other callers, in bytes: an object has at most 1.5 MiB, while a list of objects in an answer has more. */
const callerLimits = { readMaxBytes: 4 * 1024 ** 2 }

/** Registers the RPCs of the public API; streams end when the gateway drains. */
export function routePublicServices(
  router: ConnectRouter,
  context: GatewayContext,
  draining: AbortSignal,
): void {
  routeArgocdServices(router, context, draining, { callerLimits, anonymousLimits })
  router.service(ApplicationService, applicationRoutes(context, draining), callerLimits)
  router.service(ApplicationSetService, applicationSetRoutes(context, draining), callerLimits)
  router.service(BranchService, branchRoutes(context), callerLimits)
  router.service(EnvironmentService, environmentRoutes(context), callerLimits)
  router.service(
    SearchService,
    { search: search(context) } satisfies ServiceImpl<typeof SearchService>,
    callerLimits,
  )
  router.service(ClusterService, clusterRoutes(context), callerLimits)
  router.service(GpgKeyService, gpgKeyRoutes(context), callerLimits)
  router.service(ProjectService, projectRoutes(context), callerLimits)
  router.service(PluginService, pluginRoutes(context), callerLimits)
  router.service(RepositoryService, repositoryRoutes(context), callerLimits)
  router.service(
    ResourceService,
    { applyResource: applyResource(context) } satisfies ServiceImpl<typeof ResourceService>,
    callerLimits,
  )
  router.service(
    PolicyService,
    { explainAccess: explainAccess(context) } satisfies ServiceImpl<typeof PolicyService>,
    callerLimits,
  )
  router.service(
    DiagnosticsService,
    { getDiagnostics: getDiagnostics(context) } satisfies ServiceImpl<typeof DiagnosticsService>,
    callerLimits,
  )
  router.service(ToolService, toolRoutes(context), callerLimits)
  router.service(SignInService, signInRoutes(context), anonymousLimits)
  router.service(
    ReviewService,
    { compareRevisions: compareRevisions(context, draining) } satisfies ServiceImpl<typeof ReviewService>,
    callerLimits,
  )
  router.service(VersionService, { getVersion } satisfies ServiceImpl<typeof VersionService>, callerLimits)
}

function branchRoutes(context: GatewayContext): ServiceImpl<typeof BranchService> {
  return { listBranches: listBranches(context), getBranch: getBranch(context) }
}

function environmentRoutes(context: GatewayContext): ServiceImpl<typeof EnvironmentService> {
  const reader = new EnvironmentReader(context)
  return {
    listEnvironments: listEnvironments(context, reader),
    getDryCommit: getDryCommit(context, reader),
    changePullRequest: changePullRequest(context, reader),
  }
}

function pluginRoutes(context: GatewayContext): ServiceImpl<typeof PluginService> {
  return { listPlugins: listPlugins(context), getPlugin: getPlugin(context) }
}

function toolRoutes(context: GatewayContext): ServiceImpl<typeof ToolService> {
  return {
    listTools: listTools(context),
    addTool: addTool(context),
    removeTool: removeTool(context),
    verifyTools: verifyTools(context),
  }
}

function signInRoutes(context: GatewayContext): ServiceImpl<typeof SignInService> {
  return { getSignInMethods: getSignInMethods(context), getSession: getSession(context) }
}

/**
 * The RPCs of ApplicationSetService, all passed on to appset-service.
 * @internal
 */
export function applicationSetRoutes(
  context: Pick<GatewayContext, 'applicationSets'>,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationSetService> {
  return {
    generateApplications: generateApplications(context),
    applyApplicationSet: applyApplicationSet(context),
    deleteApplicationSet: deleteApplicationSet(context),
    getApplicationSet: getApplicationSet(context),
    listApplicationSets: listApplicationSets(context),
    watchApplicationSets: watchApplicationSets(context, draining),
    refreshApplicationSet: refreshApplicationSet(context),
  }
}

function repositoryRoutes(context: GatewayContext): ServiceImpl<typeof RepositoryService> {
  return {
    createRepository: createRepository(context),
    listRepositories: listRepositories(context),
    getRepositoryPages: getRepositoryPages(context),
    getRepositoryUse: getRepositoryUse(context),
    deleteRepository: deleteRepository(context),
  }
}

function clusterRoutes(context: GatewayContext): ServiceImpl<typeof ClusterService> {
  return {
    listClusters: listClusters(context),
    getCluster: getCluster(context),
    createCluster: createCluster(context),
    deleteCluster: deleteCluster(context),
  }
}

function gpgKeyRoutes(context: GatewayContext): ServiceImpl<typeof GpgKeyService> {
  return {
    listGpgKeys: listGpgKeys(context),
    getGpgKey: getGpgKey(context),
    listSigningKeys: listSigningKeys(context),
    createGpgKeys: createGpgKeys(context),
    deleteGpgKey: deleteGpgKey(context),
  }
}

function projectRoutes(context: GatewayContext): ServiceImpl<typeof ProjectService> {
  return {
    listProjects: listProjects(context),
    listPermittedProjects: listPermittedProjects(context),
    getProject: getProject(context),
    createProject: createProject(context),
    updateProject: updateProject(context),
    previewProject: previewProject(context),
    deleteProject: deleteProject(context),
    createProjectToken: createProjectToken(context),
    deleteProjectToken: deleteProjectToken(context),
  }
}
