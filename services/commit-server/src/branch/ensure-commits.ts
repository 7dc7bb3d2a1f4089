import type { Mirror } from '@wadi/git/mirror/mirror.ts'

/**
 * Fetches those of some commits whose directories cannot be read yet. They must be of the history of a branch, as servers give the commits
 * of foreign forks, too.
 * @throws NotFoundError for one that the remote does not give
 */
export async function ensureCommits(
  mirror: Mirror,
  shas: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const found = await Promise.all(shas.map((sha) => mirror.hasObject(sha)))
  const missing = shas.filter((_, index) => !found[index])
  if (missing.length > 0) await mirror.fetch(missing, signal)
}

/** Returns true if a commit is in the mirror, or in the history of some heads, from which it is fetched. */
export async function isReachable(
  mirror: Mirror,
  sha: string,
  heads: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (await mirror.hasObject(sha)) return true
  if (!mirror.isPart) return false
  await mirror.completeHistory([...new Set(heads)], signal)
  if ((await mirror.objects.resolve(sha)) === undefined) return false
  await ensureCommits(mirror, [sha], signal)
  return true
}
