import type { RunContext } from '../run-context.ts'

/**
 * The directories of a branch that Wadi wrote and where no Application has files, neither hydrated nor promoted ones.
 * None while an Application cannot be read: they may be its.
 */
export async function unclaimedPaths(
  context: Pick<RunContext, 'commitServer' | 'index'>,
  { key, repoUrl, branch, project }: { key: string; repoUrl: string; branch: string; project: string },
  signal: AbortSignal,
): Promise<string[]> {
  if (context.index.hasUnreadable) return []
  const { paths } = await context.commitServer.getBranch(
    { repoUrl, branch, project, withPaths: true },
    { signal },
  )
  const claimed = context.index.claimedPaths(key)
  return paths.filter((path) => path !== '' && !claimed.has(path))
}
