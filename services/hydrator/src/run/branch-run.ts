import type {
  ApplicationFailure,
  ForeignChange,
  GroupStatus,
  HydratedBranchStatus,
} from '@wadi/hydration/hydrated-branch.ts'
import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Member } from '../applications/application-index.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import type { ControlPlaneVersions, Destination } from './failure-inputs.ts'

/** One run of a hydrated branch, from what was observed of it on. */
export interface BranchRun {
  key: string
  repoUrl: string
  branch: string
  /** AppProject of all members when they share one; empty otherwise. */
  project: string
  /** Compare the whole branch and render everything again, whatever is remembered. */
  hard: boolean
  settings: OperatorSettings
  /** The record before this run; undefined for a first one. */
  before: HydratedBranchStatus | undefined
  /** What somebody else did to the branch and is not put right. */
  foreign: ForeignChange | undefined
  /** How the branch's repository answered. */
  destination: Destination
  /** The operator's objects that the run reads. */
  control: ControlPlaneVersions
  /** Where the branch stands; each commit of the run moves it on. */
  position: BranchPosition
  /** Fingerprints of what the branch holds at `position.headSha`, by path; undefined when that is not known. */
  held: Map<string, string> | undefined
  groups: GroupRun[]
  /** Identifies the renderers and their versions. */
  renderers: string
  /** Number of sources rendered. */
  rendered: number
  /** Dry commits that were read, by id. */
  commits: Map<string, Commit>
  /** The head before a commit that was built again on top of somebody else's; undefined when there was none. */
  rebuiltFrom: string | undefined
  /** Whether a commit of the run was pushed without credentials; undefined when none was pushed. */
  anonymous: boolean | undefined
}

/** A run whose members were checked: only then is it known which directories they are hydrated to. */
export interface ValidatedRun extends BranchRun {
  groups: ValidatedGroup[]
  /** Clean paths of all groups, those of faulty members included. */
  claimed: ReadonlySet<string>
}

/** One directory of a group: an Application, or several with equal dry sources. */
export interface Directory {
  /** Clean path on the hydrated branch. */
  path: string
  members: [Member, ...Member[]]
}

/** The part of a run for one dry repository and revision. */
export interface GroupRun {
  repoUrl: string
  targetRevision: string
  /** AppProject of all members when they share one; empty otherwise. */
  project: string
  members: Member[]
  /** Digest of the members and their specs, and of the signatures that their projects ask for. */
  digest: string
  /** Whose signatures the dry commits need; undefined while unknown, and when a project cannot be read. */
  verification: Verification | undefined
  /** The newest dry commit; empty while unknown. */
  drySha: string
  /** Why the dry revision has no commit; empty when it has. */
  unresolved: string
  /** Identifies the credentials that the dry repository was read with. */
  credentials: string
  /** Whether this run has nothing to do for the group: it is as wanted, or waits for a change. */
  rests: boolean
  /** The newest dry commit that this run wrote; empty for none. */
  writtenDrySha: string
  /** What the record says of the group before this run. */
  before: GroupStatus | undefined
  startedAt: string
  /** Notices by Application. */
  notices: Map<string, string[]>
  /** Set when the group cannot be hydrated. */
  failure: GroupFailure | undefined
  /** Head of the branch after the group's commit. */
  hydratedSha: string
}

/** A group whose members were checked. */
export interface ValidatedGroup extends GroupRun {
  directories: readonly Directory[]
}

/** A group and the run that it belongs to. */
export interface GroupOfRun {
  run: ValidatedRun
  group: ValidatedGroup
}

/** Why a group was not hydrated: a reason for all members, or faults of single ones. */
export interface GroupFailure {
  message: string
  failures: ApplicationFailure[]
  /** The error behind `message`, which decides whether the run is tried again. */
  cause?: unknown
}
