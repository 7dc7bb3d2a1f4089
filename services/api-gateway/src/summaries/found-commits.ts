import type { IndexedApplication } from './summary-index.ts'

/** A commit of the newest run of Applications, with the fields of the message `FoundCommit`. */
interface FoundCommit {
  sha: string
  repoUrl: string
  isDry: boolean
  /** The first Application. */
  application: { namespace: string; name: string }
  applications: number
}

/** The digits of a commit id; the archive of a chart is named by a digest of more, and is no commit. */
const idLength = 40
/** Matches what may be the beginning of a commit id. */
const prefixPattern = /^[0-9a-f]{4,40}$/

/** Returns the commits of the newest runs of Applications whose ids begin with a text in lower case; dry ones first. */
export function foundCommits(applications: readonly IndexedApplication[], text: string): FoundCommit[] {
  if (!prefixPattern.test(text)) return []
  const found = new Map<string, FoundCommit>()
  for (const { summary } of applications) {
    const { drySha, hydratedSha, repoUrl, syncRepoUrl, namespace, name } = summary
    const commits = [
      { sha: drySha, repoUrl, isDry: true },
      { sha: hydratedSha, repoUrl: syncRepoUrl, isDry: false },
    ]
    for (const commit of commits) {
      if (!commit.sha.startsWith(text) || commit.sha.length !== idLength) continue
      const key = `${commit.repoUrl}\n${commit.sha}`
      const known = found.getOrInsertComputed(key, () => ({
        ...commit,
        application: { namespace, name },
        applications: 0,
      }))
      known.applications += 1
    }
  }
  return [...found.values()].toSorted((one, other) => Number(other.isDry) - Number(one.isDry))
}
