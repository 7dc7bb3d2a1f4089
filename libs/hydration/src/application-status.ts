import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type DrySourceName, dryNameOf, sameDrySource } from './same-dry-source.ts'
import { repeatedWarnings } from './repeated-objects.ts'
import { sameSpec } from './same-spec.ts'
import type { Application, SourceHydrator } from '@wadi/resources/application/application.ts'
import { applicationName } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import {
  type ApplicationFailure,
  type CommitProof,
  type ForeignChange,
  foreignChangeText,
  gatesText,
  type GroupStatus,
  type HydratedBranch,
  type HydrationPhase,
  pullRequestText,
  type RecordedFinding,
  type RenderedBy,
} from './hydrated-branch.ts'

/** `status.sourceHydrator` of an Application, as Argo CD has it. */
export interface SourceHydratorStatus {
  currentOperation?: {
    startedAt: string
    finishedAt?: string
    phase: HydrationPhase
    message: string
    drySHA?: string
    hydratedSHA?: string
    sourceHydrator: SourceHydrator
  }
  lastSuccessfulOperation?: { drySHA: string; hydratedSHA: string; sourceHydrator: SourceHydrator }
  lastComparedDryRevision?: string
  /** Ours: how it is rendered; absent until a run has found out. */
  renderedBy?: RenderedBy
  /** Ours: warnings about the newest render, for example that options are not in git. */
  warnings?: string[]
  /** Ours: the findings of gates in the newest render. */
  findings?: RecordedFinding[]
  /** Ours: the proof of the hydrated commit; absent for one that is not signed. */
  proof?: ProofStatus
  /** Ours: what somebody else did to the hydrated branch; absent while it is as Wadi left it. */
  foreignChange?: ForeignChange & { message: string }
  /** Ours: the pull request from the hydrated branch to the one that is deployed from. */
  pullRequest?: PullRequestStatus
}

/** The proof of a hydrated commit, as users see it. */
interface ProofStatus extends CommitProof {
  /** The results of gates, in words. */
  gatesMessage: string
}

/** A pull request as users see it. */
interface PullRequestStatus {
  number: string
  url: string
  state: string
  /** Its state, in words. */
  message: string
}

/**
 * Returns the spec under which an Application was last hydrated: `sourceHydrator.lastSuccessfulOperation.sourceHydrator` of its status,
 * where Argo CD keeps it too. Undefined when there is none, or something else.
 */
export function hydratedSpecOf(status: Resource['status']): SourceHydrator | undefined {
  const stored = status?.['sourceHydrator']
  const operation = isJsonObject(stored) ? stored['lastSuccessfulOperation'] : undefined
  const spec = isJsonObject(operation) ? operation['sourceHydrator'] : undefined
  const isSpec = isJsonObject(spec) && isJsonObject(spec['drySource']) && isJsonObject(spec['syncSource'])
  return isSpec ? (spec as unknown as SourceHydrator) : undefined
}

/** The names that decide which part of a branch's record belongs to an Application. */
export interface GroupMember extends DrySourceName {
  /** `namespace/name`. */
  name: string
  /** Under which spec it was last hydrated. */
  hydratedUnder: 'no spec' | 'another spec' | 'its spec'
}

/** The part of a hydrated branch's record that concerns one Application. */
export interface MemberStatus extends Pick<
  SourceHydratorStatus,
  'renderedBy' | 'proof' | 'foreignChange' | 'pullRequest'
> {
  /** The newest run, unless it was a success under another spec. */
  operation?: Omit<NonNullable<SourceHydratorStatus['currentOperation']>, 'sourceHydrator'>
  success?: Omit<NonNullable<SourceHydratorStatus['lastSuccessfulOperation']>, 'sourceHydrator'>
  warnings: string[]
  findings: RecordedFinding[]
}

/**
 * Returns an Application as a member of its group; undefined for one without `sourceHydrator`.
 * @param hydrated the spec under which it was last hydrated
 */
export function groupMemberOf(
  application: Application,
  hydrated: SourceHydrator | undefined,
): GroupMember | undefined {
  const spec = application.hydrated
  if (!spec) return undefined
  const source = dryNameOf(spec)
  const name = applicationName(application)
  if (!hydrated) return { name, ...source, hydratedUnder: 'no spec' }
  const hydratedUnder = sameSpec(hydrated, spec) ? 'its spec' : 'another spec'
  return { name, ...source, hydratedUnder }
}

/** Returns the newest run of an Application's group; undefined before the first one. */
export function groupOf(member: GroupMember, branch: HydratedBranch | undefined): GroupStatus | undefined {
  return branch?.status.groups.find((candidate) => sameDrySource(candidate, member))
}

/** Returns what the record of a hydrated branch says about one of its Applications. */
export function memberStatus(member: GroupMember, branch: HydratedBranch | undefined): MemberStatus {
  const group = groupOf(member, branch)
  if (!group) return { warnings: [], findings: [] }
  const { hydratedUnder } = member
  const isOfSpec = hydratedUnder === 'its spec'
  const own = isOfSpec ? (recordOf(group).warnings.get(member.name) ?? []) : []
  const { repeated = [], warnings = [] } = branch?.status ?? {}
  const shared = isOfSpec && repeated.length > 0 ? (repeatedWarnings(repeated).get(member.name) ?? []) : []
  const findings = memberFindings(member, branch)?.findings ?? []
  const status: MemberStatus = { warnings: [...own, ...shared, ...warnings], findings }
  const renderedBy = isOfSpec ? renderedByOf(member.name, group) : undefined
  if (renderedBy) status.renderedBy = renderedBy
  if (hydratedUnder === 'its spec' || group.phase !== 'Hydrated') {
    const { message, phase } = outcomeFor(member.name, group)
    status.operation = {
      startedAt: group.startedAt,
      ...(group.finishedAt && { finishedAt: group.finishedAt }),
      phase,
      message,
      ...(group.drySha && { drySHA: group.drySha }),
      ...(phase === 'Hydrated' && group.success && { hydratedSHA: group.success.hydratedSha }),
    }
  }
  if (hydratedUnder !== 'no spec' && group.success) {
    const { drySha, hydratedSha, proof } = group.success
    status.success = { drySHA: drySha, hydratedSHA: hydratedSha }
    if (proof?.commit === hydratedSha) status.proof = { ...proof, gatesMessage: gatesText(proof) }
  }
  const foreignChange = branch?.status.foreignChange
  if (foreignChange) {
    const message = `branch ${branch.branch} ${foreignChangeText(foreignChange)}`
    status.foreignChange = { ...foreignChange, message }
  }
  const pullRequest = branch?.status.pullRequest
  if (pullRequest) {
    const { number, url, state } = pullRequest
    status.pullRequest = { number, url, state, message: pullRequestText(pullRequest) }
  }
  return status
}

/** The findings of gates in the objects of an Application, and the dry commit that was judged; empty if it is not known. */
export interface MemberFindings {
  findings: RecordedFinding[]
  drySha: string
}

/** Returns what gates found in the newest render of an Application: of a run that failed, what made it fail. Undefined for nothing. */
export function memberFindings(
  member: GroupMember,
  branch: HydratedBranch | undefined,
): MemberFindings | undefined {
  const group = groupOf(member, branch)
  if (!group) return undefined
  const { failed, findings: hydrated } = recordOf(group)
  const denied = failed.get(member.name)
  if (denied) return { findings: denied, drySha: group.drySha ?? '' }
  const findings = member.hydratedUnder === 'its spec' ? hydrated.get(member.name) : undefined
  return findings && { findings, drySha: group.success?.drySha ?? '' }
}

/**
 * Joins what is stored with an Application and the record of its hydrated branch to `status.sourceHydrator`. The
 * record holds what is equal for all members of a group, so a dry commit costs one write, not one per Application.
 * Undefined for an Application without `sourceHydrator`.
 * @param hydrated the spec under which it was last hydrated
 */
export function sourceHydratorStatus(
  application: Application,
  hydrated: SourceHydrator | undefined,
  branch: HydratedBranch | undefined,
): SourceHydratorStatus | undefined {
  const member = groupMemberOf(application, hydrated)
  if (!application.hydrated || !member) return undefined
  const status = memberStatus(member, branch)
  const { operation, success, renderedBy, warnings, findings, proof, foreignChange, pullRequest } = status
  return {
    ...(operation && { currentOperation: { ...operation, sourceHydrator: application.hydrated } }),
    ...(operation?.drySHA && { lastComparedDryRevision: operation.drySHA }),
    ...(success && hydrated && { lastSuccessfulOperation: { ...success, sourceHydrator: hydrated } }),
    ...(renderedBy && { renderedBy }),
    ...(warnings.length > 0 && { warnings }),
    ...(findings.length > 0 && { findings }),
    ...(proof && { proof }),
    ...(foreignChange && { foreignChange }),
    ...(pullRequest && { pullRequest }),
  }
}

/** The parts of a group's record that concern single Applications, by name, so that thousands of members cost one reading. */
interface GroupRecord {
  warnings: ReadonlyMap<string, string[]>
  findings: ReadonlyMap<string, RecordedFinding[]>
  /** Findings of the newest run if it failed. */
  failed: ReadonlyMap<string, RecordedFinding[]>
  failures: ReadonlyMap<string, string>
  renderedBy: ReadonlyMap<string, RenderedBy>
  /** The renderers of those that no other entry names; undefined if they are not known. */
  othersRenderedBy: RenderedBy | undefined
  /** The error of those without a failure of their own. */
  othersMessage: string
}

const records = new WeakMap<GroupStatus, GroupRecord>()

function recordOf(group: GroupStatus): GroupRecord {
  let record = records.get(group)
  if (!record) {
    const { renderedBy = [] } = group.success ?? {}
    record = {
      warnings: new Map(group.success?.warnings?.map(({ application, warnings }) => [application, warnings])),
      findings: new Map(group.success?.findings?.map(({ application, findings }) => [application, findings])),
      failed: new Map(group.found?.findings.map(({ application, findings }) => [application, findings])),
      failures: new Map(group.failures.map(({ application, message }) => [application, message])),
      renderedBy: new Map(
        renderedBy.flatMap((one) => (one.applications ?? []).map((name) => [name, one] as const)),
      ),
      othersRenderedBy: renderedBy.find(({ applications }) => !applications),
      othersMessage: group.message || othersMessage(group.failures),
    }
    records.set(group, record)
  }
  return record
}

function renderedByOf(name: string, group: GroupStatus): RenderedBy | undefined {
  const record = recordOf(group)
  const { renderers = [], tools = [] } = record.renderedBy.get(name) ?? record.othersRenderedBy ?? {}
  return renderers.length === 0 ? undefined : { renderers, tools }
}

function outcomeFor(name: string, group: GroupStatus): { phase: HydrationPhase; message: string } {
  if (group.phase !== 'Failed') return { phase: group.phase, message: '' }
  const record = recordOf(group)
  const reason = record.failures.get(name) ?? record.othersMessage
  return { phase: 'Failed', message: `Failed to hydrate: ${reason}` }
}

function othersMessage(failures: readonly ApplicationFailure[]): string {
  const [first, ...more] = failures.map((failure) => failure.application).toSorted()
  if (more.length === 0) return `cannot hydrate because application ${first} has an error`
  return `cannot hydrate because application ${first} and ${more.length} more have errors`
}
