import { errorMessage } from '@wadi/errors/domain-error.ts'
import { type HydratedBranch, knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import type {
  GetBranchesResponse,
  GetBranchResponse,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { GatewayContext } from '../context.ts'
import { keepAnswers } from './kept-answers.ts'
import type { StagePlan } from './stage-plans.ts'

/** Merges outside Wadi are seen this late; pages that follow the server ask many times a minute. */
const keptMs = 10_000
const maxKept = 200

/** People wait for the answer; a repository that hangs must not keep the rest from them. */
const maxLookMs = 5_000

/** The most branches of one call of commit-server. */
const maxBranches = 100

/** The states in git of branches that staging branches are merged to. */
export interface PromotedBranches {
  readonly found: ReadonlyMap<StagePlan, GetBranchResponse>
  /** The reason why some of them cannot be read; empty otherwise. */
  readonly error: string
}

/** The reading of branches in git. */
export interface PromotedBranchReader {
  /** Reads the states of the branches of stages, those of a repository with one question to its server. */
  read(
    plans: readonly StagePlan[],
    records: GatewayContext['summaries'],
    signal: AbortSignal,
  ): Promise<PromotedBranches>
  /** Has every branch read again: one was written. */
  forget(): void
}

/** Opens the reading of promoted branches, which keeps what it read for a few seconds. */
export function openPromotedBranches({
  commitServer,
}: Pick<GatewayContext, 'commitServer'>): PromotedBranchReader {
  const kept = keepAnswers<GetBranchesResponse>(maxKept, keptMs)
  const readOne = async (questions: readonly Question[]): Promise<[StagePlan, GetBranchResponse][]> => {
    const [first] = questions
    if (!first) return []
    const { repoUrl, project } = first
    const branches = questions.map(({ branch, knownHead }) => ({ branch, knownHead, withHeadDate: true }))
    // What a merge by Wadi leaves in the record asks again at once.
    const key = JSON.stringify([repoUrl, project, branches, questions.map(({ merges }) => merges)])
    const answer = await kept.ask(key, () =>
      commitServer.getBranches({ repoUrl, project, branches }, { timeoutMs: maxLookMs }),
    )
    return questions.flatMap(({ plan }, index) => {
      const found = answer.branches[index]
      return found ? [[plan, found] as [StagePlan, GetBranchResponse]] : []
    })
  }
  const read: PromotedBranchReader['read'] = async (plans, records, signal) => {
    const questions = plans.map((plan) => questionOf(plan, records.record(plan.branchKey)))
    const calls = Map.groupBy(questions, ({ repoUrl, project }) => JSON.stringify([repoUrl, project]))
    const answers = await Promise.allSettled(Array.from(calls.values()).flatMap(inParts).map(readOne))
    signal.throwIfAborted()
    const failed = answers.find((answer) => answer.status === 'rejected')
    return {
      found: new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))),
      error: failed ? errorMessage(failed.reason) : '',
    }
  }
  return { read, forget: () => kept.forget() }
}

/** A question about the branch of a stage. */
interface Question {
  readonly plan: StagePlan
  readonly repoUrl: string
  readonly project: string
  readonly branch: string
  /** The head that Wadi left the staging branch at: the branch is promoted when it has all of that. */
  readonly knownHead: string
  readonly merges: string
}

function questionOf(plan: StagePlan, record: HydratedBranch | undefined): Question {
  const { applications, branch } = plan
  const projects = new Set(applications.map(({ source }) => source.spec.project))
  const own = projects.size === 1 ? ([...projects][0] ?? '') : ''
  const { state = '', baseSha = '' } = record?.status.pullRequest ?? {}
  return {
    plan,
    repoUrl: record?.repoUrl ?? applications[0]?.source.spec.syncRepoUrl ?? '',
    project: record?.project ?? own,
    branch,
    knownHead: record ? knownHeadOf(record.status) : '',
    merges: `${state} ${baseSha}`,
  }
}

function inParts(questions: readonly Question[]): Question[][] {
  return Array.from({ length: Math.ceil(questions.length / maxBranches) }, (_, part) =>
    questions.slice(part * maxBranches, (part + 1) * maxBranches),
  )
}
