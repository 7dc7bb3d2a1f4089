import { createHash } from 'node:crypto'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { ReviewSetting } from '@wadi/resources/project/review-setting.ts'
import type { Member } from '../applications/application-index.ts'
import { factsOf } from '../applications/member-facts.ts'
import { groupsOf } from '../run/groups.ts'
import type { RunContext } from '../run/run-context.ts'
import { readReviewSettings } from './review-settings.ts'

/** A dry repository whose pull requests are reviewed. */
export interface ReviewedRepository {
  /** The URL in its normal form, which is one for all spellings. */
  readonly key: string
  readonly repoUrl: string
  /** AppProject of all reviewed Applications when they share one; empty otherwise. */
  readonly project: string
  /** What is shown of the reviewed Applications, by `namespace/name`. */
  readonly applications: ReadonlyMap<string, ReviewSetting>
  /** How many Applications of the repository are not reviewed. */
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
    const shownFor = new Map<string, ReviewSetting>()
    for (const project of lists.flatMap(({ members }) => factsOf(members).projects)) {
      if (!shownFor.has(project)) shownFor.set(project, await settings.shownOf(project, key))
    }
    if ([...shownFor.values()].every((shown) => shown === 'off')) continue
    const members = lists.flatMap((list) => list.members)
    const applications = new Map<string, ReviewSetting>()
    const decisions = new Set<string>()
    for (const list of lists) {
      for (const { name, application } of list.members) {
        const shown = shownFor.get(application.project) ?? 'off'
        if (shown === 'off') continue
        applications.set(name, shown)
        decisions.add(JSON.stringify([application.project, shown, ...list.revisions]))
      }
    }
    const reviewed = members.filter(({ name }) => applications.has(name))
    const [first] = lists
    if (!first || reviewed.length === 0) continue
    const digest = createHash('sha256').update(JSON.stringify([consoleUrl, ...[...decisions].toSorted()]))
    repositories.push({
      key,
      repoUrl: first.repoUrl,
      project: factsOf(reviewed).commonProject,
      applications,
      left: members.length - reviewed.length,
      settings: digest.digest('hex').slice(0, 16),
      consoleUrl,
    })
  }
  return { repositories, error }
}

/** Members that read the same revisions of a git repository. */
interface ReadingMembers {
  readonly repoUrl: string
  readonly revisions: readonly string[]
  readonly members: readonly Member[]
}

/** The members that read a git repository in any of their sources, by its normal form. */
function membersByRepository(index: RunContext['index']): Map<string, ReadingMembers[]> {
  const lists = new Map<string, ReadingMembers[]>()
  for (const branch of index.branchKeys()) {
    for (const { sources, members } of groupsOf(index.members(branch), [])) {
      const ofGit = sources.filter(({ chart }) => chart === '')
      for (const [key, same] of Map.groupBy(ofGit, ({ repoUrl }) => normalizeRepositoryUrl(repoUrl))) {
        const revisions = same.map(({ targetRevision }) => targetRevision)
        const list = { repoUrl: same[0]?.repoUrl ?? '', revisions, members }
        lists.getOrInsertComputed(key, () => []).push(list)
      }
    }
  }
  return lists
}
