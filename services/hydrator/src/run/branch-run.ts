import type {
  ApplicationFailure,
  ForeignChange,
  GroupStatus,
  HydratedBranchStatus,
} from '@wadi/hydration/hydrated-branch.ts'
import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { Member } from '../applications/application-index.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import type { ControlPlaneVersions, Destination } from './failure-inputs.ts'

/** A hydrated branch as a run found it. It stays as it is: what the run does is in its `RunOutcome`. */
export interface ObservedRun {
  readonly key: string
  readonly repoUrl: string
  readonly branch: string
  /** AppProject of all members when they share one; empty otherwise. */
  readonly project: string
  /** Compare the whole branch and render everything again, whatever is cached. */
  readonly hard: boolean
  readonly settings: OperatorSettings
  /** The record before this run; undefined for a first one. */
  readonly before: HydratedBranchStatus | undefined
  /** What somebody else did to the branch. */
  readonly foreign: ForeignChange | undefined
  /** How the branch's repository answered. */
  readonly destination: Destination
  /** The operator's objects that the run reads. */
  readonly control: ControlPlaneVersions
  /** Where the branch stands. */
  readonly position: BranchPosition
  /** Fingerprints of what the branch holds at `position.headSha`, by path; undefined when that is not known. */
  readonly held: ReadonlyMap<string, string> | undefined
  readonly groups: readonly ObservedGroup[]
  /** Groups that cannot be hydrated, because a repository cannot be read. */
  readonly failures: ReadonlyMap<ObservedGroup, GroupFailure>
  /** Identifies the renderers and their versions. */
  readonly renderers: string
}

/** A run whose members were checked: only then is it known which directories they are hydrated to. */
export interface ValidatedRun extends ObservedRun {
  /** The directories of each group; an invalid member has none. */
  readonly directories: ReadonlyMap<ObservedGroup, readonly Directory[]>
  /** Clean paths of all groups, those of invalid members included. */
  readonly claimed: ReadonlySet<string>
}

/** One directory of a group: an Application, or several with equal dry sources. */
export interface Directory {
  /** Clean path on the hydrated branch. */
  path: string
  members: [Member, ...Member[]]
}

/** The members of a branch that share a dry repository and revision. */
export interface MemberGroup {
  readonly repoUrl: string
  readonly targetRevision: string
  /** AppProject of all members when they share one; empty otherwise. */
  readonly project: string
  readonly members: readonly Member[]
  /** Digest of the members and their specs. */
  readonly digest: string
  /** What the record says of the group before this run. */
  readonly before: GroupStatus | undefined
  readonly startedAt: string
}

/** A group with what its dry repository answered. */
export interface ObservedGroup extends MemberGroup {
  /** Digest of the members and their specs, and of the signatures that their projects ask for. */
  readonly digest: string
  /** Whose signatures the dry commits need; undefined when a project cannot be read. */
  readonly verification: Verification | undefined
  /** The newest dry commit; empty when the revision has none. */
  readonly drySha: string
  /** Why the dry revision has no commit; undefined when it has. */
  readonly unresolved: GroupFailure | undefined
  /** Identifies the credentials that the dry repository was read with; empty when it did not answer. */
  readonly credentials: string
}

/** Why a group was not hydrated: a reason for all members, or errors of single ones. */
export interface GroupFailure {
  message: string
  failures: ApplicationFailure[]
  /** The error behind `message`, which decides whether the run is tried again. */
  cause?: unknown
}
