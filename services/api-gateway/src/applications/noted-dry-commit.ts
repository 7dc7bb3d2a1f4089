import { type DrySourceName, sameDrySource } from '@wadi/hydration/same-dry-source.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

/** Returns the dry commit that the note of a branch names for one of several sources; undefined when it names none. */
export function notedDryCommit(
  { dryCommits }: Pick<BranchPosition, 'dryCommits'>,
  { repoURL, targetRevision, chart }: DrySourceName,
): string | undefined {
  const source = { repoURL, targetRevision, chart }
  return dryCommits.find((commit) => sameDrySource({ ...commit, repoURL: commit.repoUrl }, source))?.drySha
}
