import type { Mirror } from '@wadi/git/mirror/mirror.ts'

/** A commit of a list. */
export interface ListedCommit {
  sha: string
  /** The commits of the list that it is built on, directly or by others that are left out. */
  parents: readonly string[]
}

/** The most commits that are looked through. */
const maxCommits = 20_000

/**
 * Returns several commits and the first-parent commits that lead to them from the newest one that their histories share, each before
 * those that it is built on; the mirror has the several. Histories that share nothing are listed from their beginning.
 * @param limit bounds the others to the newest
 */
export async function commitsBetween(
  mirror: Mirror,
  shas: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<{ commits: ListedCommit[]; hasMore: boolean }> {
  const [first, second] = shas
  if (first === undefined || second === undefined) {
    return { commits: shas.map((sha) => ({ sha, parents: [] })), hasMore: false }
  }
  await mirror.completeHistory(shas, signal)
  const shared = await mirror.raw(['merge-base', '--octopus', ...shas], { signal, acceptExitCodes: [0, 1] })
  const base = shared.stdout.toString().trim()
  const exclusion = base === '' ? [] : [`^${base}`]
  const flags = ['--first-parent', '--topo-order', '--parents', `--max-count=${maxCommits}`]
  const { stdout } = await mirror.raw(['rev-list', ...flags, ...shas, ...exclusion, '--'], { signal })
  const found = stdout.toString().split('\n').filter(Boolean).map(readLine)
  const wanted = new Set([...found.slice(0, limit).map(({ sha }) => sha), ...shas])
  const left = found.filter(({ sha }) => wanted.has(sha))
  const unlinked = [...new Set(shas)].filter((sha) => !found.some((commit) => commit.sha === sha))
  const listed = [...left, ...unlinked.map((sha) => ({ sha, parents: [] }))]
  return {
    commits: linked(found, listed),
    hasMore: left.length < found.length || found.length === maxCommits,
  }
}

function readLine(line: string): ListedCommit {
  const [sha = '', ...parents] = line.split(' ')
  return { sha, parents }
}

/** Returns the listed commits, each with the nearest listed ones below it. */
function linked(found: readonly ListedCommit[], listed: readonly ListedCommit[]): ListedCommit[] {
  const nearest = new Map<string, readonly string[]>(listed.map(({ sha }) => [sha, [sha]]))
  const below = ({ parents }: ListedCommit) => [
    ...new Set(parents.flatMap((parent) => nearest.get(parent) ?? [])),
  ]
  for (const commit of found.toReversed())
    if (!nearest.has(commit.sha)) nearest.set(commit.sha, below(commit))
  return listed.map((commit) => ({ sha: commit.sha, parents: below(commit) }))
}
