import type { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { ApplicationService as ArgoCdApplicationService } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import type { ApplicationSetService as ArgoCdApplicationSetService } from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import type { CertificateService } from '@wadi/protocol/gen/argocd/certificate/certificate_pb.ts'
import type { ClusterService as ArgoCdClusterService } from '@wadi/protocol/gen/argocd/cluster/cluster_pb.ts'
import type { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import type { ProjectService as ArgoCdProjectService } from '@wadi/protocol/gen/argocd/project/project_pb.ts'
import type { RepoCredsService } from '@wadi/protocol/gen/argocd/repocreds/repocreds_pb.ts'
import type { RepositoryService as ArgoCdRepositoryService } from '@wadi/protocol/gen/argocd/repository/repository_service_pb.ts'
import type { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import type { VersionService as ArgoCdVersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import type { RpcRule } from './rpc-rule.ts'
import { anyCaller, filtered, open, openWrite, passedOn, passedOnWrite, reads, writes } from './rpc-rule.ts'
import { type RulesByService, rulesOf } from './service-rules.ts'

const appset = 'appset-service'

/** The rules of the services of Argo CD that the gateway has. */
export const argocdRpcRules: RulesByService = {
  'version.VersionService': rulesOf<typeof ArgoCdVersionService>({ version: open }),
  'cluster.SettingsService': rulesOf<typeof SettingsService>({ get: open }),
  'session.SessionService': rulesOf<typeof SessionService>({
    getUserInfo: open,
    create: openWrite,
    delete: openWrite,
  }),
  'account.AccountService': rulesOf<typeof AccountService>({
    canI: anyCaller,
    // The caller's own password and account need no right.
    updatePassword: writes('accounts', 'update'),
    listAccounts: filtered('accounts'),
    getAccount: reads('accounts'),
    createToken: writes('accounts', 'update'),
    deleteToken: writes('accounts', 'update'),
  }),

  'certificate.CertificateService': rulesOf<typeof CertificateService>({
    listCertificates: reads('certificates'),
    createCertificate: writes('certificates', 'create'),
    deleteCertificate: writes('certificates', 'delete'),
  }),

  'applicationset.ApplicationSetService': rulesOf<typeof ArgoCdApplicationSetService>({
    get: passedOn(appset),
    generate: passedOn(appset),
    list: passedOn(appset),
    create: passedOnWrite(appset),
    delete: passedOnWrite(appset),
    watch: passedOn(appset),
  }),

  'application.ApplicationService': rulesOf<typeof ArgoCdApplicationService>({
    list: filtered('applications'),
    watch: filtered('applications'),
    create: writes('applications', 'create'),
    // A refresh needs the right to sync.
    get: reads('applications'),
    getManifests: reads('applications'),
    update: writes('applications', 'update'),
    updateSpec: writes('applications', 'update'),
    delete: writes('applications', 'delete'),
    managedResources: reads('applications'),
    ...notSupported(
      'sync',
      'rollback',
      'terminateOperation',
      'patch',
      'serverSideDiff',
      'getManifestsWithFiles',
      'resourceTree',
      'watchResourceTree',
      'getResource',
      'patchResource',
      'deleteResource',
      'listResourceActions',
      'runResourceAction',
      'runResourceActionV2',
      'podLogs',
      'listResourceEvents',
      'listLinks',
      'listResourceLinks',
      'getApplicationSyncWindows',
      'revisionMetadata',
      'revisionChartDetails',
      'getOCIMetadata',
    ),
  }),
  'project.ProjectService': rulesOf<typeof ArgoCdProjectService>({
    createToken: writes('projects', 'update'),
    deleteToken: writes('projects', 'update'),
    create: writes('projects', 'create'),
    list: filtered('projects'),
    getDetailedProject: reads('projects'),
    get: reads('projects'),
    getGlobalProjects: reads('projects'),
    update: writes('projects', 'update'),
    delete: writes('projects', 'delete'),
    ...notSupported('listEvents', 'getSyncWindowsState', 'listLinks'),
  }),
  'repository.RepositoryService': rulesOf<typeof ArgoCdRepositoryService>({
    listRepositories: filtered('repositories'),
    listWriteRepositories: filtered('write-repositories'),
    list: filtered('repositories'),
    get: filtered('repositories'),
    getWrite: filtered('write-repositories'),
    createRepository: writes('repositories', 'create'),
    createWriteRepository: writes('write-repositories', 'create'),
    create: writes('repositories', 'create'),
    deleteRepository: writes('repositories', 'delete'),
    deleteWriteRepository: writes('write-repositories', 'delete'),
    delete: writes('repositories', 'delete'),
    validateAccess: writes('repositories', 'create'),
    validateWriteAccess: writes('write-repositories', 'create'),
    ...notSupported(
      'update',
      'updateRepository',
      'updateWriteRepository',
      'listRefs',
      'listOCITags',
      'listApps',
      'getAppDetails',
      'getHelmCharts',
    ),
  }),
  'repocreds.RepoCredsService': rulesOf<typeof RepoCredsService>({
    listRepositoryCredentials: filtered('repositories'),
    listWriteRepositoryCredentials: filtered('write-repositories'),
    createRepositoryCredentials: writes('repositories', 'create'),
    createWriteRepositoryCredentials: writes('write-repositories', 'create'),
    deleteRepositoryCredentials: writes('repositories', 'delete'),
    deleteWriteRepositoryCredentials: writes('write-repositories', 'delete'),
    ...notSupported('updateRepositoryCredentials', 'updateWriteRepositoryCredentials'),
  }),
  'cluster.ClusterService': rulesOf<typeof ArgoCdClusterService>({
    list: filtered('clusters'),
    get: reads('clusters'),
    delete: writes('clusters', 'delete'),
    ...notSupported('create', 'update', 'rotateAuth', 'invalidateCache'),
  }),
}

/** An unsupported method returns that error to everybody who is signed in, and does nothing. */
function notSupported<const Method extends string>(...methods: Method[]): Readonly<Record<Method, RpcRule>> {
  const rules = methods.map((method): [string, RpcRule] => [method, anyCaller])
  return Object.fromEntries(rules) as Record<Method, RpcRule>
}
