import { isJsonObject } from '@wadi/fields/json-object.ts'
import { by } from '@wadi/order/by-name.ts'
import type { RepeatedObjects } from './repeated-objects.ts'
import type { ToolVersions } from './tool-versions.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The phase of a run; the names are Argo CD's. */
export type HydrationPhase = 'Hydrating' | 'Hydrated' | 'Failed'

/** The error of one Application of a failed group. */
export interface ApplicationFailure {
  /** `namespace/name`. */
  application: string
  message: string
}

/** The newest run of one group: the Applications with one dry repository and revision on one hydrated branch. */
export interface GroupStatus {
  /** The dry repository as its members spell it. */
  repoURL: string
  targetRevision: string
  /** The chart in a repository of charts; absent for a git repository. */
  chart?: string
  /** Names the list of sources of which the repository is that of the first; absent for members with one source. */
  sources?: string
  phase: HydrationPhase
  /** The error of all members; empty otherwise. */
  message: string
  /** Errors of single members; then every other member waits for them. */
  failures: ApplicationFailure[]
  /** RFC 3339. */
  startedAt: string
  /** RFC 3339; absent while the run is under way. */
  finishedAt?: string
  /** The dry commit that the run was for; absent when it could not be resolved. */
  drySha?: string
  /** The newest success; kept over failures. */
  success?: GroupSuccess
  /** Why and when the newest run, which failed, is tried again. */
  failed?: FailedRun
  /** The findings of gates when the newest run failed; absent if there are none. */
  found?: RecordedFindings
}

/** The findings of gates in the objects of a group, by Application, at most 100. */
export interface RecordedFindings {
  findings: ApplicationFindings[]
  /** The number of findings above that; absent for none. */
  findingsLeftOut?: number
}

/** The retry of a failed run. */
export interface FailedRun {
  /** Digest of what decided the run: as long as it is the same, the outcome would be. */
  inputs: string
  /** Runs that failed with these inputs. */
  attempts: number
  /** The condition for another try: time, or only a change of the inputs. */
  retry: 'time' | 'change'
  /** Head of the hydrated branch, when the error may lie there. */
  head?: string
}

/** A change of a hydrated branch from outside Wadi. */
export interface ForeignChange {
  /** `rewound`: the branch names an older commit; `rewritten`: it names another history; `edited`: commits came on top. */
  kind: 'deleted' | 'rewound' | 'rewritten' | 'edited'
  /** The head that Wadi left. */
  knownHead: string
  /** The head that was found; empty when the branch is gone. */
  headSha: string
  /** Files that Wadi wrote and that differ, at most 20. */
  paths: string[]
  /** The newest foreign commit; empty when there is none to name. */
  commit: string
  /** Its author, `Name <email>`. */
  author: string
  /** The signer in words, for example `unsigned`; absent when there is no commit to name. */
  signer?: string
  /** When it was found, RFC 3339. */
  detectedAt: string
  /** The operator's policy then: `report`, `restore` or `block`. */
  policy: string
}

/** The record of a successful run. */
interface GroupSuccess extends Partial<RecordedFindings> {
  drySha: string
  /** The version of the chart that the dry commit is the archive of; absent for a git repository. */
  version?: string
  /** The revisions that the other sources were hydrated from, in the order of the list; absent for members with one source. */
  others?: HydratedSource[]
  /** Head of the hydrated branch after the run. */
  hydratedSha: string
  /** Digest of the members and their specs that were hydrated. */
  members: string
  /** Digest of the operator's settings that decide the output, renderer versions among them. */
  settings: string
  finishedAt: string
  /** Versions of tools, by their names, that the dry sources name for all their directories; absent for none. */
  tools?: ToolVersions
  /** The renderers of the Applications; absent in records of older versions, and where it would take too much room. */
  renderedBy?: RecordedRenderers[]
  /** Warnings about the renders of single Applications; absent if there are none. */
  warnings?: ApplicationWarnings[]
  /** The proof of the hydrated commit; absent for one that is not signed. */
  proof?: CommitProof
}

/** The proof of a hydrated commit, as it was verified before the push. */
export interface CommitProof {
  /** The hydrated commit. */
  commit: string
  /** The fingerprint of the key that signed it, and whose key that is; empty when they are not known. */
  key: string
  owner: string
  attested: boolean
  /** The result of gates by its attestation: `PASSED` or `WARNED`; absent when none ran. */
  gates?: string
  /** The number of rules that warn, of each directory; absent for none. */
  gateWarnings?: number
  /** When its signatures were verified, RFC 3339. */
  verifiedAt: string
}

/** The revision of a source that was hydrated. */
export interface HydratedSource {
  drySha: string
  /** The version of the chart that it is the archive of; absent for a git repository. */
  version?: string
}

/** The programs that render an Application. */
export interface RenderedBy {
  /** The renderers of its sources, such as `helm` or `directory`, each once; none if they are not known. */
  renderers: string[]
  /** Their tools and plugins with versions, such as `helm v4.1.4`; none for a plain directory. */
  tools: string[]
}

/** The renderers of some Applications of a group. */
export interface RecordedRenderers extends RenderedBy {
  /** `namespace/name`; absent for all that no other entry names. */
  applications?: string[]
}

/** Warnings about the render of one Application. */
export interface ApplicationWarnings {
  /** `namespace/name`. */
  application: string
  warnings: string[]
}

/** The findings of gates in the objects of one Application. */
export interface ApplicationFindings {
  /** `namespace/name`. */
  application: string
  findings: RecordedFinding[]
}

/** A finding of a gate. It holds no value of the object. */
export interface RecordedFinding {
  /** The gate and its rule, for example `secrets/github`. */
  rule: string
  /** `deny`, `warn` or `audit`. */
  severity: string
  /** `Kind/namespace/name`. */
  object: string
  field: string
  message: string
  /** The file and line that the value comes from; absent where they are not known. */
  file?: string
  line?: number
  /** The waiver that covers it; absent for none. */
  waiver?: { owner: string; reason: string; expires: string }
}

/** The pull request from a hydrated branch to the branch that is deployed from. */
export interface PullRequestRecord {
  /** Empty before it was opened. */
  number: string
  /** Its page for people; empty before it was opened. */
  url: string
  state: 'none' | 'open' | 'merged' | 'closed'
  /** The branch that it is merged to. */
  baseBranch: string
  /** Heads of both branches and digest of the settings that it was brought to. */
  headSha: string
  baseSha: string
  settings: string
  /** The awaited event, the error, or the forge's rejection; empty otherwise. */
  message: string
  /** True if nothing is to be done until one of the heads or the settings change. */
  isSettled: boolean
  /** When the forge is asked again at the earliest, RFC 3339; absent for the next poll. */
  retryAt?: string
  /** True if somebody asked for it though no setting wants one; absent otherwise. */
  isRequested?: boolean
  /** Names the attempt to open or update it that has not ended, or whose hydrator did; absent otherwise. */
  attempt?: string
}

/** Returns the state of a pull request in words; empty for none. */
export function pullRequestText({ state, message }: PullRequestRecord): string {
  if (state === 'none') return message
  return message === '' ? state : `${state}, ${message}`
}

/** The record of a hydrated branch: what the newest run of each of its groups did. */
export interface HydratedBranchStatus {
  groups: GroupStatus[]
  /** Number of Applications on the branch. */
  applications: number
  /** Number of sources that the newest run rendered. */
  rendered: number
  /** The duration of the newest run. */
  milliseconds: number
  /** The head that Wadi left the branch at, or one with the same files of Wadi's; absent in records of older versions. */
  head?: string
  /** A change from outside Wadi that is not yet overwritten or accepted. */
  foreignChange?: ForeignChange
  /** To whom the branch is left; absent when it is hydrated here. */
  leftTo?: 'argo-cd' | 'other-installation'
  /** Warnings about the branch as a whole, for the status of its Applications. */
  warnings?: string[]
  /** Objects that several Applications make; absent when there are none. */
  repeated?: RepeatedObjects[]
  /** The pull request that Wadi keeps from the branch; absent without one. */
  pullRequest?: PullRequestRecord
  /** Versions of tools, by their names, that render what names none in git; absent in records of older versions. */
  tools?: ToolVersions
}

/** The head that Wadi left a branch at; empty while it is not known. */
export function knownHeadOf(status: HydratedBranchStatus): string {
  if (status.head !== undefined) return status.head
  const successes = status.groups.flatMap(({ success }) => (success ? [success] : []))
  return successes.toSorted(by(({ finishedAt }) => finishedAt)).at(-1)?.hydratedSha ?? ''
}

/** The results of gates, in words, for people. */
export function gatesText({
  gates = '',
  gateWarnings = 0,
}: Pick<CommitProof, 'gates' | 'gateWarnings'>): string {
  if (gates === '') return 'not attested'
  const warnings = gateWarnings === 1 ? '1 warning' : `${gateWarnings} warnings`
  return gateWarnings === 0 ? 'passed' : `passed, ${warnings}`
}

/** A foreign change in one sentence without its end. */
export function foreignChangeText(change: ForeignChange): string {
  const { kind, paths, commit, author, signer, knownHead, headSha } = change
  if (kind === 'deleted') return `was deleted; Wadi had left it at ${knownHead.slice(0, 7)}`
  if (kind === 'rewound') return `was moved back from ${knownHead.slice(0, 7)} to ${headSha.slice(0, 7)}`
  const files = paths.slice(0, 3).join(', ') + (paths.length > 3 ? ` and more` : '')
  const byAuthor = author === '' ? '' : ` by ${author}`
  const where = ` in commit ${(commit || headSha).slice(0, 7)}${byAuthor}${signer ? `, ${signer}` : ''}`
  if (kind === 'rewritten') return `was replaced by another history${where}`
  return `was edited${where}: ${files}`
}

/** A `HydratedBranch` object, read. */
export interface HydratedBranch {
  repoUrl: string
  branch: string
  /** AppProject of all its Applications when they share one, whose credentials are used then; empty otherwise. */
  project: string
  status: HydratedBranchStatus
}

/** Reads a stored `HydratedBranch`; its writer is the hydrator alone, so the shape is taken as it is. */
export function readHydratedBranch(resource: Resource): HydratedBranch {
  const {
    repoURL: repoUrl,
    branch,
    project = '',
  } = resource.spec as { repoURL: string; branch: string; project?: string }
  return { repoUrl, branch, project, status: readStatus(resource.status) }
}

/** In a cluster others may write the status: what is not a record there is as if nothing had been hydrated. */
function readStatus(status: Resource['status']): HydratedBranchStatus {
  const nothing = { groups: [], applications: 0, rendered: 0, milliseconds: 0 }
  if (!isJsonObject(status)) return nothing
  const written: Partial<HydratedBranchStatus> = status
  const groups = Array.isArray(written.groups) ? written.groups.filter(isGroup) : []
  return { ...nothing, ...written, groups: groups.map(withoutEmptyNames) }
}

function isGroup(group: unknown): boolean {
  if (!isJsonObject(group)) return false
  const texts = ['repoURL', 'targetRevision', 'phase', 'message', 'startedAt']
  return texts.every((field) => typeof group[field] === 'string') && Array.isArray(group['failures'])
}

/** A cluster adds the empty chart of a git repository and the empty list of one source, by which it knows groups apart. */
function withoutEmptyNames({ chart, sources, ...group }: GroupStatus): GroupStatus {
  return { ...group, ...(chart && { chart }), ...(sources && { sources }) }
}
