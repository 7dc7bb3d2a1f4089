import { createHash } from 'node:crypto'
import { DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { dryNameOf, drySourceKey, sameDrySource } from '@wadi/hydration/same-dry-source.ts'
import type { GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { Member } from '../../applications/application-index.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import type { GroupSource, MemberGroup, ObservedGroup } from '../branch-run.ts'

/** A group without what a record says of it. */
type Division = Omit<MemberGroup, 'before' | 'startedAt'>

/** The groups of members that stayed the same. */
const divisions = new WeakMap<readonly Member[], readonly Division[]>()

/**
 * The members of a branch by dry repository (whatever its spelling) and revision, of all their sources.
 * @param members a list that is frozen, as it is divided once
 * @param before the record of the branch's groups
 */
export function groupsOf(members: readonly Member[], before: readonly GroupStatus[]): MemberGroup[] {
  const startedAt = new Date().toISOString()
  return divisions
    .getOrInsertComputed(members, () => divided(Object.freeze(members)))
    .map((group) => {
      const { repoUrl: repoURL, targetRevision, chart, sourcesName: sources } = group
      const isOfGroup = (status: GroupStatus): boolean =>
        sameDrySource(status, { repoURL, targetRevision, chart, sources })
      return { ...group, before: before.find(isOfGroup), startedAt }
    })
}

function divided(members: readonly Member[]): Division[] {
  const groups = Map.groupBy(members, ({ spec }) => drySourceKey(dryNameOf(spec)))
  return [...groups.values()].map(newDivision)
}

function newDivision(members: readonly Member[]): Division {
  const [first] = members
  const name = first ? dryNameOf(first.spec) : { repoURL: '', targetRevision: '' }
  const { repoURL: repoUrl, targetRevision, chart = '', sources: sourcesName = '' } = name
  const digest = createHash('sha256')
  for (const member of members) digest.update(`${member.name}\n${member.digest}\n`)
  return {
    repoUrl,
    targetRevision,
    chart,
    sources: first ? drySourcesOf(first.spec).map(groupSource) : [],
    sourcesName,
    project: factsOf(members).commonProject,
    members,
    digest: digest.digest('base64url').slice(0, 22),
  }
}

function groupSource({ repoURL, targetRevision, chart = '', ref = '' }: DrySource): GroupSource {
  return { repoUrl: repoURL, targetRevision, chart, ref }
}

/** Returns true if the newest run of a group succeeded for this dry commit with these members and settings; a request changes nothing. */
export function isSettled(group: ObservedGroup, settings: string): boolean {
  const { unresolved, before, drySha, sources, digest, members } = group
  return (
    !unresolved &&
    before?.phase === 'Hydrated' &&
    before.success?.drySha === drySha &&
    sources.slice(1).every((source, index) => before.success?.others?.[index]?.drySha === source.drySha) &&
    before.success.members === digest &&
    before.success.settings === settings &&
    factsOf(members).unmarked.length === 0
  )
}

/** Returns true if a group that waits for a change keeps waiting: its dry repository is unreachable, so nobody knows of one. */
export function isOutOfReach({ before, unresolved }: ObservedGroup): boolean {
  const cause = unresolved?.cause
  const isAway = cause instanceof UnavailableError || cause instanceof DeadlineExceededError
  return isAway && before?.phase === 'Failed' && before.failed?.retry === 'change'
}

/** Returns true if somebody requested a hydration of a member. */
export function isRequested({ members }: MemberGroup): boolean {
  return factsOf(members).requested.length > 0
}
