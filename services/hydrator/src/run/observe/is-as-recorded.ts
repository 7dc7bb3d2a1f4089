import type { HydratedBranchStatus } from '@wadi/hydration/hydrated-branch.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

/** Returns true if a branch holds no dry commit that its record does not name, so no run moved it after the record was read. */
export function isAsRecorded(
  { drySha, dryCommits }: Pick<BranchPosition, 'drySha' | 'dryCommits'>,
  record: HydratedBranchStatus | undefined,
): boolean {
  const successes = (record?.groups ?? []).flatMap(({ success }) => success ?? [])
  const recorded = new Set(successes.flatMap((one) => [one, ...(one.others ?? [])]).map((one) => one.drySha))
  return [drySha, ...dryCommits.map((one) => one.drySha)].every((sha) => sha === '' || recorded.has(sha))
}
