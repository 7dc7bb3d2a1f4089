import type { ForeignChange, RecordedRenderers } from '@wadi/hydration/hydrated-branch.ts'
import type { RepeatedObjects } from '@wadi/hydration/repeated-objects.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type {
  BranchPosition,
  CommitProof,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Fingerprints, GroupFailure, ObservedGroup, ObservedRun, ValidatedRun } from './branch-run.ts'

/** The outcome of a run for a branch so far; it begins as what was observed. */
export interface RunOutcome {
  /** Somebody else's change to the branch that is not undone. */
  foreign: ForeignChange | undefined
  /** True if the commit that Wadi left the branch at is gone, so everything is written again. */
  isHeadGone: boolean
  /** The branch's head and its notes; each commit of the run updates them. */
  position: BranchPosition
  /** The fingerprints that the branch was rendered from at `position.headSha`; undefined when they are not known. */
  known: Fingerprints | undefined
  /** Groups that the run leaves as they are: each is as wanted, or waits for a change. */
  resting: ReadonlySet<ObservedGroup>
  /** Groups that cannot be hydrated. */
  readonly failures: Map<ObservedGroup, GroupFailure>
  /** Commits of the run, the oldest first. */
  readonly landed: LandedCommit[]
  /** Warnings by Application; without those that have none. */
  readonly warnings: Map<string, string[]>
  /** Findings of gates by Application, those that waivers cover last; without Applications that have none. */
  readonly findings: Map<string, readonly Finding[]>
  /** The versions of tools that dry sources name for all their directories, by group; without groups that were not inspected. */
  readonly named: Map<ObservedGroup, ToolVersions>
  /** The renderers of Applications, by group; without groups that were not inspected. */
  readonly renderedBy: Map<ObservedGroup, RecordedRenderers[]>
  /** Objects that several Applications make; undefined while it stays as it was. */
  repeated: RepeatedObjects[] | undefined
  /** True once the record says that the run has started. */
  isStarted: boolean
  /** Number of sources rendered. */
  rendered: number
  /** Dry commits that were read, by id. */
  readonly commits: Map<string, Commit>
}

/** An outcome by which nothing has been done yet. */
export function outcomeFrom(
  begun: Pick<RunOutcome, 'foreign' | 'position' | 'known' | 'resting' | 'failures'>,
): RunOutcome {
  const nothing = {
    landed: [],
    isHeadGone: false,
    isStarted: false,
    warnings: new Map(),
    findings: new Map(),
    named: new Map(),
    renderedBy: new Map(),
    rendered: 0,
    commits: new Map(),
  }
  return { ...begun, ...nothing, repeated: undefined }
}

/** One commit that a run pushed. */
export interface LandedCommit {
  group: ObservedGroup
  drySha: string
  /** Head of the branch after it. */
  hydratedSha: string
  /** The head before it when it was built again on top of somebody else's commit; undefined when it was not. */
  rebuiltFrom: string | undefined
  /** True if it was pushed without credentials. */
  anonymous: boolean
  /** The proof of the head; undefined if the push neither signed nor attested it. */
  proof: CommitProof | undefined
}

/** An observed branch and what the run has made of it so far. */
export interface RunInProgress {
  run: ObservedRun
  outcome: RunOutcome
}

/** A validated branch and what the run has made of it so far. */
export interface ValidatedInProgress extends RunInProgress {
  run: ValidatedRun
}

/** A group and the run that it belongs to. */
export interface GroupOfRun extends ValidatedInProgress {
  group: ObservedGroup
}

/** The groups that still have something to do. */
export function openGroups(
  { groups }: ObservedRun,
  { resting, failures }: Pick<RunOutcome, 'resting' | 'failures'>,
): ObservedGroup[] {
  return groups.filter((group) => !resting.has(group) && !failures.has(group))
}

/** The newest commit that a run pushed for a group. */
export function landedFor(
  { landed }: Pick<RunOutcome, 'landed'>,
  group: ObservedGroup,
): LandedCommit | undefined {
  return landed.findLast((commit) => commit.group === group)
}

/** The head below the first commit that was built again on top of somebody else's; undefined when there is none. */
export function rebuiltFrom({ landed }: Pick<RunOutcome, 'landed'>): string | undefined {
  return landed.find((commit) => commit.rebuiltFrom !== undefined)?.rebuiltFrom
}
