import { branchKey } from '@wadi/hydration/branch-key.ts'
import { type HydratedBranch, knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { GatewayContext } from '../context.ts'
import { type ReadDryCommits, openDryCommits } from './dry-commits.ts'
import { hydratedStage } from './hydrated-stage.ts'
import {
  openPromotedBranches,
  type PromotedBranches,
  type PromotedBranchReader,
} from './promoted-branches.ts'
import { promotedStage } from './promoted-stage.ts'
import type { StageFields } from './stage.ts'
import { type StagePlan, stagePlans } from './stage-plans.ts'
import type { DryRepository } from './staged-applications.ts'
import { travelOf } from './travelling-commits.ts'

/** The most stages of one dry repository. */
const maxStages = 200

/** The part of a question that is equal for all repositories. */
export interface EnvironmentsQuestion {
  /** The operator's order of branches. */
  readonly patterns: readonly Matcher[]
  /** The states of branches in the queue, by their keys. */
  readonly queue: ReadonlyMap<string, string>
  /** The most dry commits. */
  readonly commits: number
  /** Returns true if the caller may change the pull request of a branch, by its key. */
  readonly mayChange: (branchKey: string) => boolean
  readonly signal: AbortSignal
}

/** A stage with the Applications that share it. */
export interface PlannedStage {
  readonly plan: StagePlan
  readonly stage: StageFields
}

/** Reads the stages of dry repositories and the commits on their way over them. */
export class EnvironmentReader {
  readonly #records: GatewayContext['summaries']
  readonly #promoted: PromotedBranchReader
  readonly #readCommits: ReadDryCommits

  constructor(context: GatewayContext) {
    this.#records = context.summaries
    this.#promoted = openPromotedBranches(context)
    this.#readCommits = openDryCommits(context)
  }

  /** Returns the message `Environments` of a dry repository, as far as its parts can be read. */
  async read(repository: DryRepository, question: EnvironmentsQuestion) {
    const { commits: limit, signal } = question
    const { repoUrl, chart } = repository
    const { planned, left, error: branchesError } = await this.stages(repository, question)
    const stages = planned.map(({ stage }) => stage)
    const { commits, hasMore, error } = await this.#readCommits(repository, stages, limit, signal)
    const travel = travelOf(commits, stages)
    return {
      repoUrl,
      chart,
      stages: stages.map((stage, index) => ({ ...stage, behind: travel.behind[index] ?? 0 })),
      moreStages: left,
      commits: travel.commits,
      hasMore,
      commitsError: error,
      branchesError,
    }
  }

  /** Returns the stages of a dry repository in their order, and the number of those that are left out. */
  async stages({ applications }: DryRepository, question: Omit<EnvironmentsQuestion, 'commits'>) {
    const all = stagePlans(applications, question.patterns)
    const plans = all.slice(0, maxStages)
    const promoted = plans.filter(({ promotedFrom }) => promotedFrom !== '')
    const branches = await this.#promoted.read(promoted, this.#records, question.signal)
    const planned = this.#stages(all, plans, branches, question)
    return { planned, left: all.length - plans.length, error: branches.error }
  }

  /** Reads the dry commits between those that stages have. */
  get readCommits(): ReadDryCommits {
    return this.#readCommits
  }

  /** Has branches that staging branches are merged to read again. */
  forgetBranches(): void {
    this.#promoted.forget()
  }

  #stages(
    all: readonly StagePlan[],
    plans: readonly StagePlan[],
    { found }: PromotedBranches,
    { queue, mayChange }: Omit<EnvironmentsQuestion, 'commits'>,
  ): PlannedStage[] {
    const recordOf = (plan: StagePlan): HydratedBranch | undefined => this.#records.record(plan.branchKey)
    const keyOf = (plan: StagePlan) => `${plan.branchKey}\n${plan.targetRevision}`
    const hydrated = new Map(
      all
        .filter(({ promotedFrom }) => promotedFrom === '')
        .map((plan) => [
          keyOf(plan),
          hydratedStage(plan.applications, recordOf(plan), queue.get(plan.branchKey) ?? ''),
        ]),
    )
    return plans.flatMap((plan) => {
      const stage = hydrated.get(keyOf(plan))
      if (!stage) return []
      if (plan.promotedFrom === '') return [{ plan, stage }]
      const record = recordOf(plan)
      const kept = record?.status.pullRequest
      const promotion = {
        pullRequest: kept?.baseBranch === plan.branch ? kept : undefined,
        stagedSha: record ? knownHeadOf(record.status) : '',
        // A URL that holds a credential is shown without it, so nobody can name its branch.
        mayChange:
          branchKey(stage.repoUrl, plan.promotedFrom) === plan.branchKey && mayChange(plan.branchKey),
      }
      return [{ plan, stage: promotedStage(plan.applications, stage, found.get(plan), promotion) }]
    })
  }
}
