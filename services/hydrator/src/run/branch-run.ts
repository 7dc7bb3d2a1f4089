import type {
  ApplicationFailure,
  ForeignChange,
  GroupStatus,
  HydratedBranchStatus,
  RecordedFindings,
} from '@wadi/hydration/hydrated-branch.ts'
import type { Layout } from '@wadi/resources/application/layout.ts'
import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { Member } from '../applications/application-index.ts'
import type { RuledGate } from '../gates/gate-rules.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { ControlPlaneVersions, Destination } from './report/failure-inputs.ts'

/** The fingerprints of directories by path: equal ones have equal files. */
export type Fingerprints = VersionedMap<string, string>

/** The directories of a branch by path. */
export type Directories = VersionedMap<string, Directory>

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
  /** Somebody else's change to the branch. */
  readonly foreign: ForeignChange | undefined
  /** Id of this installation, which its notes name. */
  readonly installation: string
  /** The answer of the branch's repository. */
  readonly destination: Destination
  /** The operator's objects that the run reads. */
  readonly control: ControlPlaneVersions
  /** The branch's head and its notes. */
  readonly position: BranchPosition
  /** The fingerprints that the branch was rendered from at `position.headSha`; undefined when they are not known. */
  readonly known: Fingerprints | undefined
  readonly groups: readonly ObservedGroup[]
  /** Groups that cannot be hydrated, because a repository cannot be read. */
  readonly failures: ReadonlyMap<ObservedGroup, GroupFailure>
  /** Identifies the renderers and their versions. */
  readonly renderers: string
  /** The versions of the tools among them, which render all of a run; empty when they are not known. */
  readonly tools: string
  /** The versions that render what names none in git. */
  readonly defaultTools: ToolVersions
  /** Versions that are tried out in the place of those and of `wadi.yaml`, without a leading `v`; absent for none. */
  readonly triedTools?: ToolVersions
  /** True for the hydration of a branch, which may have versions downloaded; comparisons may not. */
  readonly mayDownload?: boolean
}

/** A run whose members were checked: only then is it known which directories they are hydrated to. */
export interface ValidatedRun extends ObservedRun {
  /** The directories of each group; an invalid member has none. */
  readonly directories: ReadonlyMap<ObservedGroup, readonly Directory[]>
  readonly byPath: Directories
  /** Clean paths of all groups, those of invalid members included. */
  readonly claimed: ReadonlySet<string>
}

/** One directory of a group: an Application, or several with equal dry sources. */
export interface Directory {
  /** Clean path on the hydrated branch. */
  path: string
  members: [Member, ...Member[]]
  layout: Layout
  /** True if Flux applies it, by one of its members or their project; default: it does not. */
  forFlux?: boolean
  /** The gates that the operator asks for, the stricter ones of its members' projects; default: none. */
  gates?: readonly RuledGate[]
}

/** A dry source that the members of a group share. */
export interface GroupSource {
  readonly repoUrl: string
  readonly targetRevision: string
  /** The chart in a repository of charts; empty for a git repository. */
  readonly chart: string
  /** The name by which other sources read its files; empty for none. */
  readonly ref: string
}

/** A source with what its repository answered. */
export interface ObservedSource extends GroupSource {
  /** The newest commit; empty when the revision has none. */
  readonly drySha: string
  /** The version of the chart that the commit is the archive of; empty for a git repository. */
  readonly version: string
  /** The signatures that its commits need; undefined if a project cannot be read. */
  readonly verification: Verification | undefined
}

/** The members of a branch that share their dry repositories and revisions. What is said of a dry repository is that of the first source. */
export interface MemberGroup {
  readonly repoUrl: string
  readonly targetRevision: string
  /** The chart in a repository of charts; empty for a git repository. */
  readonly chart: string
  /** All sources, in the order of the list. */
  readonly sources: readonly GroupSource[]
  /** Names the list of sources; empty for one source. */
  readonly sourcesName: string
  /** AppProject of all members when they share one; empty otherwise. */
  readonly project: string
  readonly members: readonly Member[]
  /** Digest of the members and their specs. */
  readonly digest: string
  /** The record of the group before this run. */
  readonly before: GroupStatus | undefined
  readonly startedAt: string
}

/** A group with what its dry repository answered. */
export interface ObservedGroup extends MemberGroup {
  readonly sources: readonly ObservedSource[]
  /** Digest of the members and their specs, and of the signatures that their projects ask for. */
  readonly digest: string
  /** The signatures that the dry commits need; undefined if a project cannot be read. */
  readonly verification: Verification | undefined
  /** The newest dry commit; empty when the revision has none. */
  readonly drySha: string
  /** The version of the chart that the dry commit is the archive of; empty for a git repository. */
  readonly version: string
  /** The reason why a dry revision has no commit; undefined if each has one. */
  readonly unresolved: GroupFailure | undefined
  /** Identifies the credentials that the dry repositories were read with; empty when none answered. */
  readonly credentials: string
}

/** The reason why a group was not hydrated: one for all members, or errors of single ones. */
export interface GroupFailure {
  message: string
  failures: ApplicationFailure[]
  /** The findings of gates in the objects of those; default: none. */
  found?: RecordedFindings
  /** The error behind `message`, which decides whether the run is tried again. */
  cause?: unknown
}
