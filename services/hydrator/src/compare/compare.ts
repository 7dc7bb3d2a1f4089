import { randomBytes } from 'node:crypto'
import { markMoves } from '@wadi/changes/applications/mark-moves.ts'
import { summarize } from '@wadi/changes/applications/summary.ts'
import type { NoiseRule } from '@wadi/changes/noise/noise-rules.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { by } from '@wadi/order/by-name.ts'
import type {
  ApplicationChanges,
  ApplicationName,
  ChangesSummary,
  CompareRevisionsRequest,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { MemberGroup } from '../run/branch-run.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import { checkTriedTools } from '../run/branch-tools.ts'
import type { RunContext } from '../run/run-context.ts'
import { withChangedApplications } from './changed-applications.ts'
import { type BranchComparison, compareBranch } from './compare-branch.ts'
import { branchesFed, type FedBranch, type Wanted, wantedApplications } from './compared-branches.ts'
import { MadeApplications } from './made-applications.ts'
import { type Comparison, type Fork, resolveComparison } from './resolve-comparison.ts'
import { readTargetRules } from './target-rules.ts'
import { noteWrittenApplications } from './written-applications.ts'

/** Progress of a comparison. */
export interface ComparisonProgress {
  phase: 'resolve' | 'inspect' | 'render'
  done: number
  total: number
}

/** The revisions to compare. */
export interface ComparedRevision extends Pick<
  CompareRevisionsRequest,
  'repoUrl' | 'revision' | 'base' | 'target'
> {
  /** Versions of tools to try out for the revision; none by default. */
  readonly tools?: ToolVersions
  /** The Applications that are compared; empty for all of the repository. */
  readonly applications: readonly Pick<ApplicationName, 'namespace' | 'name'>[]
  /** Set for the revision of a fork, whose plugins, actions and ytt are not run; false by default. */
  readonly isFromFork?: boolean
  /** The branch of a fork that has the revision, when the repository itself does not hand it out. */
  readonly fork?: Fork | undefined
  /** Is awaited before anything is rendered; what it throws ends the comparison. */
  readonly onResolved?: (comparison: Comparison) => Promise<void>
}

/** A comparison that is over. */
export interface Compared {
  readonly applications: readonly ApplicationChanges[]
  readonly summary: ChangesSummary
}

/** Branches that are looked at together; how much of it is rendered at a time is limited elsewhere. */
const branchesAtOnce = 5

/** Characters of all texts together; a message of a change beyond them says that they are left out. */
const maxText = 64 * 1024 * 1024

/**
 * Compares what a dry revision would hydrate to with its base, on all branches of its repository.
 * @param progress is kept up to date
 * @throws NotFoundError for a revision or Applications that do not exist, InvalidInputError for a version of a tool that is not installed, UnavailableError when the repository does not answer
 */
export async function compare(
  context: RunContext,
  request: ComparedRevision,
  progress: ComparisonProgress,
  signal: AbortSignal,
): Promise<Compared> {
  const isWanted = wantedApplications(request.applications)
  const branches = branchesFed(context.index, request.repoUrl, isWanted)
  const comparison = await resolveComparison(context, request, { branches, isWanted }, signal)
  checkTriedTools(request.tools ?? {}, comparison.rendering.installed)
  const groups = branches.flatMap((branch) => branch.groups)
  const followed = groups.filter((group) => group.sources.some(comparison.followedBy))
  const [first] = followed
  if (!first) throw new NotFoundError(`no application follows ${comparison.target}`)
  Object.assign(progress, { phase: 'inspect', total: branches.length })
  const failed = new AbortController()
  const preparing = prepare(context, request, { first, comparison }, signal)
  const options = preparing.then(({ rules }) => ({
    rules,
    hashKey: randomBytes(32),
    budget: { left: maxText },
  }))
  // Branches are inspected meanwhile, and given up when nothing is to be compared.
  options.catch(() => failed.abort())
  const made = new MadeApplications()
  const searching = noteWrittenApplications(context, { group: first, made }, comparison, signal)
  searching.catch(() => undefined)
  const { isFromFork = false, tools: triedTools = {} } = request
  const of = { comparison, isWanted, isFromFork, triedTools, options, made }
  const comparing = compareBranches(
    context,
    branches,
    { of, progress },
    AbortSignal.any([signal, failed.signal]),
  )
  const [prepared, compared] = await Promise.allSettled([preparing, comparing])
  if (prepared.status === 'rejected') throw prepared.reason
  if (compared.status === 'rejected') throw compared.reason
  const { rendered } = compared.value
  const searched = await searching
  const found = compared.value.applications
  const { applications, warnings } = await withChangedApplications(context, of, found, signal)
  const sorted = applications.toSorted(by(({ namespace, name }) => `${namespace}/${name}`))
  markMoves(sorted)
  const summary = summarize(sorted, {
    applications: countWanted(followed, isWanted),
    elsewhere: countWanted(groups, isWanted) - countWanted(followed, isWanted),
    messages: [...prepared.value.warnings, ...searched, ...warnings],
    rendered,
    target: comparison.target,
    revisionSha: comparison.revisionSha,
    baseSha: prepared.value.baseSha,
  })
  return { applications: sorted, summary }
}

function countWanted(groups: readonly MemberGroup[], isWanted: Wanted): number {
  return groups.reduce((sum, { members }) => sum + members.filter(isWanted).length, 0)
}

/** Reads and reports everything that is needed before the first render. */
async function prepare(
  context: RunContext,
  { onResolved }: ComparedRevision,
  { first, comparison }: { first: MemberGroup; comparison: Comparison },
  signal: AbortSignal,
): Promise<{ rules: NoiseRule[]; warnings: string[]; baseSha: string }> {
  const [{ rules, warnings }, baseSha = ''] = await Promise.all([
    readTargetRules(context, first, comparison, signal),
    comparison.base,
    onResolved?.(comparison),
  ])
  return { rules, warnings, baseSha }
}

async function compareBranches(
  context: RunContext,
  branches: readonly FedBranch[],
  { of, progress }: { of: Omit<BranchComparison, 'onPlanned' | 'onRendered'>; progress: ComparisonProgress },
  signal: AbortSignal,
): Promise<{ applications: ApplicationChanges[]; rendered: number }> {
  let rendered = 0
  const counted: BranchComparison = {
    ...of,
    onPlanned: (directories) => {
      if (progress.phase === 'inspect') Object.assign(progress, { phase: 'render', done: 0, total: 0 })
      progress.total += directories
    },
    onRendered: () => {
      progress.done++
      rendered++
    },
  }
  const applications: ApplicationChanges[] = []
  const compareOne = (branch: FedBranch, each: AbortSignal) => compareBranch(context, branch, counted, each)
  for await (const changes of mapUnordered(branches, branchesAtOnce, signal, compareOne)) {
    applications.push(...changes)
  }
  return { applications, rendered }
}
