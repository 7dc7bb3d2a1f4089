import type { ConnectRouter } from '@connectrpc/connect'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import { CertificateService } from '@wadi/protocol/gen/argocd/certificate/certificate_pb.ts'
import { ClusterService } from '@wadi/protocol/gen/argocd/cluster/cluster_pb.ts'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/argocd/project/project_pb.ts'
import { RepoCredsService } from '@wadi/protocol/gen/argocd/repocreds/repocreds_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/argocd/repository/repository_service_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { VersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import type { GatewayContext } from '../context.ts'
import { argocdApplications } from './application-service.ts'
import { argocdApplicationSets } from './application-set-service.ts'
import { argocdAccounts } from './account-service.ts'
import { argocdCertificates } from './certificate-service.ts'
import { argocdClusters } from './cluster-service.ts'
import { argocdProjects } from './project-service.ts'
import { argocdRepositoryCredentials } from './repository-credentials-service.ts'
import { argocdRepositories } from './repository-service.ts'
import { argocdSessions } from './session-service.ts'
import { argocdSettings } from './settings-service.ts'
import { argocdVersion } from './version-service.ts'

/** Limits of requests, in bytes: for callers who are not signed in, and for all others. */
interface RequestLimits {
  readonly anonymousLimits: { readonly readMaxBytes: number }
  readonly callerLimits: { readonly readMaxBytes: number }
}

/** Registers what Argo CD's own clients call. */
export function routeArgocdServices(
  router: ConnectRouter,
  context: GatewayContext,
  draining: AbortSignal,
  { anonymousLimits, callerLimits }: RequestLimits,
): void {
  router.service(ApplicationService, argocdApplications(context, draining), callerLimits)
  router.service(ProjectService, argocdProjects(context), callerLimits)
  router.service(RepositoryService, argocdRepositories(context), callerLimits)
  router.service(RepoCredsService, argocdRepositoryCredentials(context), callerLimits)
  router.service(ClusterService, argocdClusters(context), callerLimits)
  router.service(CertificateService, argocdCertificates(context), callerLimits)
  router.service(ApplicationSetService, argocdApplicationSets(context, draining), callerLimits)
  router.service(AccountService, argocdAccounts(context), callerLimits)
  router.service(SessionService, argocdSessions(context), anonymousLimits)
  router.service(SettingsService, argocdSettings(context), anonymousLimits)
  router.service(VersionService, argocdVersion, anonymousLimits)
}
