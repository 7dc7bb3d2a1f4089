import type { CompareOptions } from '@wadi/changes/objects/compare-manifests.ts'
import { errorMessage, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { MemberGroup } from '../run/branch-run.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { RunContext } from '../run/run-context.ts'
import type { RunOutcome } from '../run/run-outcome.ts'
import { validate } from '../run/validate/validate.ts'
import { applicationChanges } from '@wadi/changes/applications/application-changes.ts'
import { type ComparedGroup, compareGroup } from './compare-group.ts'
import type { MadeApplications } from './made-applications.ts'
import type { FedBranch, Wanted } from './compared-branches.ts'
import { observeForComparison } from './compared-run.ts'
import { comparisonOutcome } from './inspected-side.ts'
import type { Comparison } from './resolve-comparison.ts'

/** Inputs that all branches of one comparison share. */
export interface BranchComparison {
  readonly comparison: Comparison
  readonly isWanted: Wanted
  /** Is awaited before anything is rendered; where it rejects, the comparison ends. */
  readonly options: Promise<CompareOptions>
  /** Set for the revision of a fork, whose plugins, actions and ytt are not run. */
  readonly isFromFork: boolean
  /** Versions of tools to try out for the revision. */
  readonly triedTools: ToolVersions
  /** Gets the Applications among what the branches hold and would hold. */
  readonly made: MadeApplications
  /** Is called with how many directories of a group are to be rendered, then for each that was. */
  readonly onPlanned: (directories: number) => void
  readonly onRendered: () => void
}

/** Compares the Applications of one hydrated branch. An error of the whole branch is reported for each of them. */
export async function compareBranch(
  context: RunContext,
  fed: FedBranch,
  of: BranchComparison,
  signal: AbortSignal,
): Promise<ApplicationChanges[]> {
  const compared = fed.groups.filter((group) => group.sources.some(of.comparison.followedBy))
  try {
    const observed = await observeForComparison(context, fed, of.comparison, signal)
    const outcome = comparisonOutcome(observed)
    const run = await validate(context, { run: observed, outcome })
    const groups = run.groups.filter((group) => compared.some((one) => isSameGroup(one, group)))
    const changes: ApplicationChanges[] = []
    for (const group of groups) {
      changes.push(...invalidMembers({ run, group, of }, outcome))
      if (group.unresolved) throw group.unresolved.cause ?? new NotFoundError(group.unresolved.message)
      if (group.verification) changes.push(...(await compareGroup(context, { run, group, of }, signal)))
    }
    return changes
  } catch (cause) {
    if (signal.aborted) throw cause
    const failure = { outcome: 'failed', errors: [errorMessage(cause)] } as const
    const members = compared.flatMap((group) => group.members).filter(of.isWanted)
    return members.map((member) => applicationChanges(fed, member, failure))
  }
}

function isSameGroup(one: MemberGroup, other: MemberGroup): boolean {
  const { repoUrl, targetRevision, sourcesName } = one
  return (
    repoUrl === other.repoUrl && targetRevision === other.targetRevision && sourcesName === other.sourcesName
  )
}

/** The Applications that break a rule, whatever their dry source holds. */
function invalidMembers(
  { run, group, of }: ComparedGroup,
  { failures }: Pick<RunOutcome, 'failures'>,
): ApplicationChanges[] {
  const reasons = Map.groupBy(failures.get(group)?.failures ?? [], ({ application }) => application)
  return group.members.filter(of.isWanted).flatMap((member) => {
    const errors = (reasons.get(member.name) ?? []).map(({ message }) => message)
    if (errors.length === 0) return []
    return [applicationChanges(run, member, { outcome: 'failed', errors, failedBefore: true })]
  })
}
