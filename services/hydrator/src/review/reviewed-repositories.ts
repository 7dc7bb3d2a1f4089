import { createHash } from 'node:crypto'
import { normalizeRepositoryUrl, repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { by } from '@wadi/order/by-name.ts'
import type { ReviewSetting } from '@wadi/resources/project/review-setting.ts'
import type { Member } from '../applications/application-index.ts'
import { factsOf } from '../applications/member-facts.ts'
import { groupsOf } from '../run/observe/groups.ts'
import type { RunContext } from '../run/run-context.ts'
import { readReviewSettings } from './review-settings.ts'

/** A URL of a repository, by which credentials are selected. */
interface RepositorySpelling {
  readonly repoUrl: string
  /** AppProject of all reviewed Applications that spell it so when they share one; empty otherwise. */
  readonly project: string
}

/** A dry repository whose pull requests are reviewed. */
export interface ReviewedRepository extends RepositorySpelling {
  /** One for all spellings. */
  readonly key: string
  /** Other spellings, whose credentials are used where those of this one reach no forge. */
  readonly others: readonly RepositorySpelling[]
  /** The extent to which each reviewed Application is shown, by `namespace/name`. */
  readonly applications: ReadonlyMap<string, ReviewSetting>
  /** The number of Applications of the repository that are not reviewed. */
  readonly left: number
  /** Digest of what decides beside the pull request what is said about it. */
  readonly settings: string
  readonly consoleUrl: string
}

/** The repositories that are reviewed, with what may be said there, and what is wrong with the settings. */
export async function reviewedRepositories({
  index,
  store,
}: Pick<RunContext, 'index' | 'store'>): Promise<{ repositories: ReviewedRepository[]; error: string }> {
  const settings = await readReviewSettings(store)
  const { consoleUrl, error } = settings
  const repositories: ReviewedRepository[] = []
  for (const [key, lists] of membersByRepository(index)) {
    const members = new Set(lists.flatMap((list) => list.members))
    const applications = new Map<string, ReviewSetting>()
    const decisions = new Set<string>()
    const reviewed = new Map<string, Member[]>()
    for (const list of lists) {
      for (const member of list.members) {
        const { name, application } = member
        // The right to show an Application is decided for the repository as it spells it.
        const shown = await settings.shownOf(application.project, list.repoUrl)
        if (shown === 'off') continue
        applications.set(name, shown)
        decisions.add(JSON.stringify([application.project, shown, ...list.revisions]))
        reviewed.getOrInsertComputed(list.repoUrl, () => []).push(member)
      }
    }
    const [first, ...others] = spellingsOf(reviewed)
    if (!first) continue
    const digest = createHash('sha256').update(JSON.stringify([consoleUrl, ...[...decisions].toSorted()]))
    repositories.push({
      ...first,
      key,
      others,
      applications,
      left: members.size - applications.size,
      settings: digest.digest('hex').slice(0, 16),
      consoleUrl,
    })
  }
  return { repositories, error }
}

/** The spellings in an order that stays, those first that a forge's API has. */
function spellingsOf(reviewed: ReadonlyMap<string, readonly Member[]>): RepositorySpelling[] {
  const spellings = [...reviewed].map(([repoUrl, members]) => ({
    repoUrl,
    project: factsOf(members).commonProject,
  }))
  return spellings.toSorted(by(({ repoUrl }) => `${/^https?:/i.test(repoUrl) ? 0 : 1} ${repoUrl}`))
}

/** Members that read the same revisions of a git repository. */
interface ReadingMembers {
  readonly repoUrl: string
  readonly revisions: readonly string[]
  readonly members: readonly Member[]
}

/** The members that read a git repository in any of their sources, by what is one for all its spellings. */
function membersByRepository(index: RunContext['index']): Map<string, ReadingMembers[]> {
  const lists: ReadingMembers[] = []
  for (const branch of index.branchKeys()) {
    for (const { sources, members } of groupsOf(index.members(branch), [])) {
      const ofGit = sources.filter(({ chart }) => chart === '')
      for (const [repoUrl, same] of Map.groupBy(ofGit, (source) => source.repoUrl)) {
        lists.push({ repoUrl, revisions: same.map(({ targetRevision }) => targetRevision), members })
      }
    }
  }
  const repositories = Map.groupBy(lists, ({ repoUrl }) => repositoryIdentity(repoUrl))
  return new Map(
    [...repositories].flatMap(([identity, same]) =>
      isOneServer(same)
        ? [[identity, same]]
        : [...Map.groupBy(same, ({ repoUrl }) => normalizeRepositoryUrl(repoUrl))],
    ),
  )
}

/** Returns whether no host is named with two ports, of which the identity says nothing: they may be two forges. */
function isOneServer(lists: readonly ReadingMembers[]): boolean {
  const ports = new Map<string, string>()
  return lists.every(({ repoUrl }) => {
    const { protocol = 'ssh:', hostname, port = '' } = URL.parse(repoUrl.trim()) ?? {}
    const host = hostname ?? /^(?:[^@/]*@)?([^@/:]+):/.exec(repoUrl.trim())?.[1] ?? ''
    const own = protocol === 'ssh:' && port === '22' ? '' : port
    return ports.getOrInsert(`${protocol}//${host.toLowerCase()}`, own) === own
  })
}
