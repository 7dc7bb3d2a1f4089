import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import { by } from '@wadi/order/by-name.ts'
import type { GroupMember } from '@wadi/hydration/application-status.ts'
import type { IndexedApplication } from '../summaries/summary-index.ts'

/** The Applications of one dry repository, or of one chart of a repository of charts. */
export interface DryRepository {
  /** Without credentials. */
  repoUrl: string
  /** Empty for a git repository. */
  chart: string
  applications: readonly StagedApplication[]
}

/** An Application that is hydrated, with the source and the branches of its stages. */
export interface StagedApplication extends IndexedApplication {
  member: GroupMember
  branchKey: string
  /** The branch that it is hydrated to. */
  branch: string
  /** The branch that it is deployed from, if that is another one; empty otherwise. */
  promotedTo: string
}

const byUrl = by(({ repoUrl, chart }: DryRepository) => `${repoUrl}\n${chart}`)

/**
 * Groups Applications by their dry repository, whatever its spelling, in the order of its URL; those that are not hydrated are left out.
 * @param repository the only one to return; empty for all
 */
export function dryRepositories(
  applications: readonly IndexedApplication[],
  repository: string,
): DryRepository[] {
  const wanted = repository === '' ? undefined : repositoryIdentity(repository)
  const staged = applications.flatMap((application) => stagedApplication(application) ?? [])
  const groups = Map.groupBy(
    staged,
    ({
      source: {
        dryRepositories: [first = ''],
      },
      member,
    }) => (wanted === undefined || first === wanted ? `${first}\n${member.chart ?? ''}` : ''),
  )
  groups.delete('')
  return Array.from(groups.values(), (members) => ({
    repoUrl: shownUrl(members[0]?.member.repoURL ?? ''),
    chart: members[0]?.member.chart ?? '',
    applications: members,
  })).toSorted(byUrl)
}

function stagedApplication(application: IndexedApplication): StagedApplication | undefined {
  const { member, branch, branchKey, spec } = application.source
  if (!member || !branch || branchKey === undefined) return undefined
  const { source, key } = application
  const promotedTo = spec.syncBranch === branch.branch ? '' : spec.syncBranch
  return {
    key,
    source,
    get summary() {
      return application.summary
    },
    member,
    branchKey,
    branch: branch.branch,
    promotedTo,
  }
}
