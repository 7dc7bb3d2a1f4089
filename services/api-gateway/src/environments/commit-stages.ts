import type { GatewayContext } from '../context.ts'
import { commitStage } from './commit-stage.ts'
import { readStageHistories } from './commit-history.ts'
import type { EnvironmentReader, EnvironmentsQuestion } from './environments.ts'
import type { DryRepository } from './staged-applications.ts'
import { type CommitHolder, travelOf } from './travelling-commits.ts'

/** Dry commits that are looked through. */
const maxCommits = 1_000

/** Dry commits of hydrated ones that are compared with the commit; repo-server takes 500 with those of stages. */
const maxCompared = 250

/** Says what a dry commit changed on each stage of its repository, and why it did not change others. */
export async function commitStages(
  context: Pick<GatewayContext, 'commitServer' | 'summaries'>,
  reader: EnvironmentReader,
  {
    repository,
    sha,
    question,
  }: { repository: DryRepository; sha: string; question: Omit<EnvironmentsQuestion, 'commits'> },
) {
  const { signal } = question
  const { planned } = await reader.stages(repository, question)
  const plans = planned.map(({ plan }) => plan)
  const histories = await readStageHistories(context, plans, signal)
  const hydrated = new Set(histories.flatMap(({ entries }) => entries.map(({ drySha }) => drySha)))
  hydrated.delete('')
  const marks: CommitHolder[] = [
    ...planned.map(({ stage: { drySha, targetRevision } }) => ({ drySha, nextDrySha: '', targetRevision })),
    ...[...hydrated].slice(0, maxCompared).map((drySha) => ({ drySha, nextDrySha: '', targetRevision: '' })),
  ]
  const asked = [...marks, { drySha: sha, nextDrySha: '', targetRevision: '' }]
  const { commits } = await reader.readCommits(repository, asked, maxCommits, signal)
  const holders = travelOf(commits, marks).commits.find((commit) => commit.sha === sha)?.stages
  const having = new Set(holders?.map((index) => marks[index]?.drySha))
  return planned.map((each, index) =>
    commitStage(sha, each, {
      isHeld: holders && having.has(each.stage.drySha),
      history: histories[index] ?? { entries: [], hasMore: false, error: '' },
      isIn: (drySha) => having.has(drySha),
      record: context.summaries.record(each.plan.branchKey),
    }),
  )
}
