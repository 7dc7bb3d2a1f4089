import {
  groupMemberOf,
  type GroupMember,
  hydratedSpecOf,
  memberStatus,
} from '@wadi/hydration/application-status.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import type { HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { drySourcesOf, renderedSource } from '@wadi/resources/application/dry-sources.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { readableApplication } from '../applications/application-view.ts'
import { listedSeverities } from './listed-severity.ts'

/** An Application in a list, with the fields of the message `ApplicationSummary`. */
export interface Summary extends SpecSummary, StatusSummary {}

/** The part that the object itself decides. */
interface SpecSummary {
  namespace: string
  name: string
  project: string
  repoUrl: string
  path: string
  targetRevision: string
  syncRepoUrl: string
  syncBranch: string
  syncPath: string
  hydrateToBranch: string
  applicationSet: string
  deleting: boolean
  labels: Record<string, string>
  version: string
  cluster: string
  destinationNamespace: string
}

/** The part that the record of its branch decides. */
interface StatusSummary {
  phase: string
  message: string
  drySha: string
  hydratedSha: string
  startedAt: string
  finishedAt: string
  warnings: number
  foreignChange: string
  severities: string[]
  renderers: string[]
  tools: string[]
}

/** An Application without what its summary does not need, for thousands of them in memory. */
export interface SummarySource {
  spec: SpecSummary
  /** Its name in policies. */
  object: string
  /** The text that a search matches, in lower case. */
  text: string
  /** The identities of the repositories of the dry sources of one that is hydrated. */
  dryRepositories: readonly string[]
  /** Those, and of the repository of its hydrated branch. */
  repositories: readonly string[]
  /** The key of the branch that it is hydrated to; undefined for one that is not hydrated. */
  branchKey: string | undefined
  /** That branch and its repository as the Application spells them, without credentials. */
  branch: { repoUrl: string; branch: string } | undefined
  member: GroupMember | undefined
}

/** Reads what summaries need of an Application; of one that cannot be read, who and whose it is. */
export function summarySource(resource: Resource): SummarySource {
  const { metadata } = resource
  const application = readableApplication(resource)
  const hydrated = application?.hydrated
  const branch = application && hydratedBranchOf(application)
  const object = applicationObject(resource)
  const { drySource, syncSource, hydrateTo } = hydrated ?? {}
  const spec = {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    project: object.slice(0, object.indexOf('/')),
    repoUrl: shownUrl(application?.sources[0] ?? ''),
    path: (hydrated && renderedSource(hydrated)?.path) ?? '',
    targetRevision: drySource?.targetRevision ?? '',
    syncRepoUrl: shownUrl(branch?.repoUrl ?? ''),
    syncBranch: syncSource?.targetBranch ?? '',
    syncPath: syncSource?.path ?? '',
    hydrateToBranch: hydrateTo?.targetBranch ?? '',
    applicationSet: metadata.ownerReferences?.find(({ kind }) => kind === 'ApplicationSet')?.name ?? '',
    deleting: isBeingDeleted(resource),
    labels: metadata.labels ?? {},
    version: decidedVersion(resource),
    cluster: shownUrl(application?.destination.name ?? application?.destination.server ?? ''),
    destinationNamespace: application?.destination.namespace ?? '',
  }
  const { name, namespace, repoUrl, path, syncRepoUrl, syncPath } = spec
  const dryRepositories = hydrated
    ? drySourcesOf(hydrated).map(({ repoURL }) => repositoryIdentity(repoURL))
    : []
  return {
    spec,
    object,
    text: [name, namespace, repoUrl, path, syncRepoUrl, syncPath].join('\n').toLowerCase(),
    dryRepositories,
    repositories: [...dryRepositories, ...(branch ? [repositoryIdentity(branch.repoUrl)] : [])],
    branchKey: branch && branchKey(branch.repoUrl, branch.branch),
    branch: branch && { repoUrl: spec.syncRepoUrl, branch: branch.branch },
    member: application && groupMemberOf(application, hydratedSpecOf(resource.status)),
  }
}

/** Joins what is kept of an Application with the record of its branch. */
export function summaryOf({ spec, member }: SummarySource, record: HydratedBranch | undefined): Summary {
  const status = member && memberStatus(member, record)
  const { operation, success } = status ?? {}
  return {
    ...spec,
    phase: operation?.phase ?? '',
    message: operation?.message ?? '',
    drySha: operation?.drySHA ?? '',
    hydratedSha: operation?.hydratedSHA ?? success?.hydratedSHA ?? '',
    startedAt: operation?.startedAt ?? '',
    finishedAt: operation?.finishedAt ?? '',
    warnings: status?.warnings.length ?? 0,
    foreignChange: status?.foreignChange?.message ?? '',
    severities: listedSeverities(status?.findings ?? []),
    renderers: status?.renderedBy?.renderers ?? [],
    tools: status?.renderedBy?.tools ?? [],
  }
}
