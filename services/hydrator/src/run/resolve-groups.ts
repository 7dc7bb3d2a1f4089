import { errorMessage } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { GroupRun } from './branch-run.ts'
import { readVerifications } from './group-verification.ts'
import type { RunContext } from './run-context.ts'

/** What one look at the dry repositories gave beside the dry commits. */
interface Resolved {
  /** Identifies the renderers and their versions; empty when no repo-server answered. */
  renderers: string
  /** Heads of the branches that were asked for, by repository; a repository that did not answer is missing. */
  heads: Map<string, Map<string, string>>
}

/** Identifies a repository as one project reaches it. */
export function repositoryKey(repoUrl: string, project: string): string {
  return `${normalizeRepositoryUrl(repoUrl)}\n${project}`
}

/**
 * Sets the newest dry commit of each group and whose signatures it needs, with one call for all revisions of a dry repository; one that fails, fails
 * its groups alone.
 * @param branches branches whose heads are wanted too, by `repositoryKey`; those of repositories that no group reads are left out
 * @param probe whether remotes are asked that were away a moment ago
 */
export async function resolveGroups(
  context: Pick<RunContext, 'repoServer' | 'store'>,
  groups: readonly GroupRun[],
  signal: AbortSignal,
  { branches = new Map<string, string[]>(), probe = false } = {},
): Promise<Resolved> {
  const byRepository = Map.groupBy(groups, (group) => repositoryKey(group.repoUrl, group.project))
  const resolved: Resolved = { renderers: '', heads: new Map() }
  const resolveOne = async (key: string, sharing: GroupRun[]): Promise<void> => {
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
        const revision = answer.revisions[index]
        group.credentials = answer.credentials
        group.drySha = revision?.sha ?? ''
        if (group.drySha === '') fail(group, revision?.error ?? 'no revision')
      }
    } catch (cause) {
      if (signal.aborted) throw cause
      for (const group of sharing) fail(group, errorMessage(cause), cause)
    }
  }
  const resolving = [...byRepository].map(([key, sharing]) => resolveOne(key, sharing))
  await Promise.all([...resolving, readVerifications(context.store, groups)])
  return resolved
}

function fail(group: GroupRun, message: string, cause?: unknown): void {
  group.unresolved = message
  group.failure = { message, failures: [], cause }
}
