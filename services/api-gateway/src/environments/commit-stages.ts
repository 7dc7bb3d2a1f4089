import type { GatewayContext } from '../context.ts'
import { commitStage } from './commit-stage.ts'
import type { ReadStageHistories } from './commit-history.ts'
import type { EnvironmentReader, EnvironmentsQuestion } from './environments.ts'
import type { DryRepository } from './staged-applications.ts'
import { type CommitHolder, travelOf } from './travelling-commits.ts'

/** Dry commits that are looked through. */
const maxCommits = 1_000

/** Dry commits of hydrated ones that are compared with the commit; repo-server takes 500 with those of stages. */
const maxCompared = 250

/** The readings of stages and of their histories. */
interface CommitReaders {
  readonly reader: EnvironmentReader
  readonly readHistories: ReadStageHistories
}

/** Says what a dry commit changed on each stage of its repository, and why it did not change others. */
export async function commitStages(
  { summaries }: Pick<GatewayContext, 'summaries'>,
  { reader, readHistories }: CommitReaders,
  {
    repository,
    sha,
    question,
  }: { repository: DryRepository; sha: string; question: Omit<EnvironmentsQuestion, 'commits'> },
) {
  const { signal } = question
  const { planned } = await reader.stages(repository, question)
  const plans = planned.map(({ plan }) => plan)
  const histories = await readHistories(plans, signal)
  const hydrated = new Set(histories.flatMap(({ entries }) => entries.map(({ drySha }) => drySha)))
  hydrated.delete('')
  const marks: CommitHolder[] = [
    ...planned.map(({ stage: { drySha, targetRevision } }) => ({ drySha, nextDrySha: '', targetRevision })),
    ...[...hydrated].slice(0, maxCompared).map((drySha) => ({ drySha, nextDrySha: '', targetRevision: '' })),
  ]
  const asked = [...marks, { drySha: sha, nextDrySha: '', targetRevision: '' }]
  const { commits, error } = await reader.readCommits(repository, asked, maxCommits, signal)
  const holders = travelOf(commits, marks).commits.find((commit) => commit.sha === sha)?.stages
  const having = new Set(holders?.map((index) => marks[index]?.drySha))
  return planned.map((each, index) =>
    commitStage(sha, each, {
      isHeld: holders && having.has(each.stage.drySha),
      history: histories[index] ?? { entries: [], hasMore: false, error: '' },
      unknown: error || 'the commit is not among those between the stages',
      isIn: (drySha) => having.has(drySha),
      record: summaries.record(each.plan.branchKey),
    }),
  )
}
