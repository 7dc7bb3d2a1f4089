import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
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
import { getVersion } from './version.ts'
import { applicationRoutes } from './application-routes.ts'
import { applicationSetRoutes } from './routes/application-sets.ts'
import { clusterRoutes } from './routes/clusters.ts'
import { gpgKeyRoutes } from './routes/gpg-keys.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { projectRoutes } from './routes/projects.ts'
import { repositoryRoutes } from './routes/repositories.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { toolRoutes } from './routes/tools.ts'
import { applyResource } from './routes/apply-resource.ts'
import { changePullRequest } from './routes/change-pull-request.ts'
import { getBranch } from './routes/get-branch.ts'
import { listBranches } from './routes/list-branches.ts'
import { compareRevisions } from './routes/compare-revisions.ts'
import { getDryCommit } from './routes/get-dry-commit.ts'
import { explainAccess } from './routes/explain-access.ts'
import { getDiagnostics } from './routes/get-diagnostics.ts'
import { listEnvironments } from './routes/list-environments.ts'
import { search } from './routes/search.ts'

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
  const reader = new EnvironmentReader(context)
  routeArgocdServices(router, context, draining, { callerLimits, anonymousLimits })
  router.service(ApplicationService, applicationRoutes(context, draining), callerLimits)
  router.service(ApplicationSetService, applicationSetRoutes(context, draining), callerLimits)
  router.service(
    BranchService,
    { listBranches: listBranches(context), getBranch: getBranch(context) },
    callerLimits,
  )
  router.service(
    EnvironmentService,
    {
      listEnvironments: listEnvironments(context, reader),
      getDryCommit: getDryCommit(context, reader),
      changePullRequest: changePullRequest(context, reader),
    },
    callerLimits,
  )
  router.service(SearchService, { search: search(context) }, callerLimits)
  router.service(ClusterService, clusterRoutes(context), callerLimits)
  router.service(GpgKeyService, gpgKeyRoutes(context), callerLimits)
  router.service(ProjectService, projectRoutes(context), callerLimits)
  router.service(PluginService, pluginRoutes(context), callerLimits)
  router.service(RepositoryService, repositoryRoutes(context), callerLimits)
  router.service(ResourceService, { applyResource: applyResource(context) }, callerLimits)
  router.service(PolicyService, { explainAccess: explainAccess(context) }, callerLimits)
  router.service(DiagnosticsService, { getDiagnostics: getDiagnostics(context) }, callerLimits)
  router.service(ToolService, toolRoutes(context), callerLimits)
  router.service(SignInService, signInRoutes(context), anonymousLimits)
  router.service(ReviewService, { compareRevisions: compareRevisions(context, draining) }, callerLimits)
  router.service(VersionService, { getVersion }, callerLimits)
}
