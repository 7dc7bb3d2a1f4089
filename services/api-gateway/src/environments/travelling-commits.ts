import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { StageFields } from './stage.ts'

/** Dry commits with the stages that have them, and how far each stage is behind. */
interface Travel {
  commits: { sha: string; author: string; date: string; subject: string; stages: number[] }[]
  behind: number[]
}

/** The commits of a stage. */
export type CommitHolder = Pick<StageFields, 'drySha' | 'nextDrySha' | 'targetRevision'>

/**
 * Finds out which stages have which dry commits. A stage is behind by those of the revision that most stages follow and that it does not
 * have; commits of other revisions, such as those of a pull request, are nobody's to wait for.
 * @param listed each before those that it is built on
 */
export function travelOf(
  listed: readonly Pick<Commit, 'sha' | 'author' | 'date' | 'subject' | 'parents'>[],
  stages: readonly CommitHolder[],
): Travel {
  const revision = mostFollowed(stages)
  // A bit for each stage that has a commit, and one for the revision.
  const holders = new Map<string, bigint>()
  const add = (sha: string, bits: bigint) => holders.set(sha, (holders.get(sha) ?? 0n) | bits)
  const followed = 1n << BigInt(stages.length)
  for (const [index, { drySha, nextDrySha, targetRevision }] of stages.entries()) {
    add(drySha, 1n << BigInt(index))
    if (targetRevision !== revision) continue
    add(drySha, followed)
    add(nextDrySha, followed)
  }
  const behind = stages.map(() => 0)
  const known = new Set(listed.map(({ sha }) => sha))
  const commits = listed.map(({ sha, author, date, subject, parents }) => {
    const bits = holders.get(sha) ?? 0n
    for (const parent of parents) add(parent, bits)
    const having: number[] = []
    for (const [index, stage] of stages.entries()) {
      if ((bits & (1n << BigInt(index))) !== 0n) having.push(index)
      else if ((bits & followed) !== 0n && known.has(stage.drySha)) behind[index] = (behind[index] ?? 0) + 1
    }
    return { sha, author, date, subject: subject.split('\n', 1).join(''), stages: having }
  })
  return { commits, behind }
}

function mostFollowed(stages: readonly CommitHolder[]): string {
  const counts = new Map<string, number>()
  for (const { targetRevision } of stages) counts.set(targetRevision, (counts.get(targetRevision) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return stages.find(({ targetRevision }) => counts.get(targetRevision) === most)?.targetRevision ?? ''
}
