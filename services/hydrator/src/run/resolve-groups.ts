import { errorMessage } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { MemberGroup, ObservedGroup } from './branch-run.ts'
import { readVerification } from './group-verification.ts'
import type { RunContext } from './run-context.ts'

/** What one look at the dry repositories gave. */
interface Resolved<Group> {
  /** The groups in the order that they were given. */
  groups: (Group & ObservedGroup)[]
  /** Identifies the renderers and their versions; empty when no repo-server answered. */
  renderers: string
  /** Heads of the branches that were asked for, by repository; a repository that did not answer is missing. */
  heads: Map<string, Map<string, string>>
}

/** What a dry repository answered for a group. */
type Resolution = Pick<ObservedGroup, 'drySha' | 'unresolved' | 'credentials'>

/** Identifies a repository as one project reaches it. */
export function repositoryKey(repoUrl: string, project: string): string {
  return `${normalizeRepositoryUrl(repoUrl)}\n${project}`
}

/**
 * Finds the newest dry commit of each group and whose signatures it needs, with one call for all revisions of a dry repository; one that fails, fails
 * its groups alone.
 * @param branches branches whose heads are wanted too, by `repositoryKey`; those of repositories that no group reads are left out
 * @param probe whether remotes are asked that were away a moment ago
 */
export async function resolveGroups<Group extends MemberGroup>(
  context: Pick<RunContext, 'repoServer' | 'store'>,
  groups: readonly Group[],
  signal: AbortSignal,
  { branches = new Map<string, string[]>(), probe = false } = {},
): Promise<Resolved<Group>> {
  const byRepository = Map.groupBy(groups, (group) => repositoryKey(group.repoUrl, group.project))
  const resolved: Omit<Resolved<Group>, 'groups'> = { renderers: '', heads: new Map() }
  const resolutions = new Map<MemberGroup, Resolution>()
  const resolveOne = async (key: string, sharing: MemberGroup[]): Promise<void> => {
    const [first] = sharing
    if (!first) return
    const { repoUrl, project } = first
    const wanted = branches.get(key) ?? []
    try {
      const revisions = sharing.map((group) => group.targetRevision)
      const request = { repoUrl, project, revisions, branches: wanted, refresh: true, probe }
      const answer = await context.repoServer.resolveRevisions(request, { signal })
      resolved.renderers = answer.renderers
      // A repo-server of an older version knows nothing of branches.
      if (answer.heads.length === wanted.length) {
        resolved.heads.set(key, new Map(answer.heads.map(({ branch, sha }) => [branch, sha])))
      }
      for (const [index, group] of sharing.entries()) {
        const { sha: drySha = '', error = 'no revision' } = answer.revisions[index] ?? {}
        const { credentials } = answer
        const unresolved = drySha === '' ? { message: error, failures: [] } : undefined
        resolutions.set(group, { drySha, unresolved, credentials })
      }
    } catch (cause) {
      if (signal.aborted) throw cause
      for (const group of sharing) resolutions.set(group, unanswered(cause))
    }
  }
  const resolving = [...byRepository].map(([key, sharing]) => resolveOne(key, sharing))
  const verifying = groups.map((group) => readVerification(context.store, group))
  const [verified] = await Promise.all([Promise.all(verifying), ...resolving])
  const observed = groups.map((group, index) => ({
    ...group,
    verification: undefined,
    ...verified[index],
    ...(resolutions.get(group) ?? unanswered(undefined)),
  }))
  return { ...resolved, groups: observed }
}

function unanswered(cause: unknown): Resolution {
  return { drySha: '', unresolved: { message: errorMessage(cause), failures: [], cause }, credentials: '' }
}
