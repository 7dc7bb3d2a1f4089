import type { RunContext } from './run-context.ts'

/** The directories of a branch that Wadi wrote and where no Application has files, neither hydrated nor promoted ones. */
export async function unclaimedPaths(
  context: Pick<RunContext, 'commitServer' | 'index'>,
  {
    key,
    repoURL: repoUrl,
    branch,
    project,
  }: { key: string; repoURL: string; branch: string; project: string },
  signal: AbortSignal,
): Promise<string[]> {
  const { paths } = await context.commitServer.getBranch(
    { repoUrl, branch, project, withPaths: true },
    { signal },
  )
  const claimed = context.index.claimedPaths(key)
  return paths.filter((path) => path !== '' && !claimed.has(path))
}
