import { createHash } from 'node:crypto'
import { DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import type { Member } from '../applications/application-index.ts'
import type { MemberGroup, ObservedGroup } from './branch-run.ts'

/**
 * The members of a branch by dry repository (whatever its spelling) and revision.
 * @param before what the record says of the branch's groups
 */
export function groupsOf(members: readonly Member[], before: readonly GroupStatus[]): MemberGroup[] {
  const groups = new Map<string, Member[]>()
  for (const member of members) {
    const { repoURL, targetRevision } = member.spec.drySource
    const key = `${normalizeRepositoryUrl(repoURL)}\n${targetRevision}`
    const group = groups.get(key)
    if (group) group.push(member)
    else groups.set(key, [member])
  }
  return [...groups.values()].map((group) => newGroup(group, before))
}

function newGroup(members: Member[], statuses: readonly GroupStatus[]): MemberGroup {
  const source = members[0]?.spec.drySource
  const { repoURL: repoUrl = '', targetRevision = '' } = source ?? {}
  const digest = createHash('sha256')
  for (const member of members) digest.update(`${member.name}\n${member.digest}\n`)
  return {
    repoUrl,
    targetRevision,
    project: commonProject(members),
    members,
    digest: digest.digest('base64url').slice(0, 22),
    before: statusOf(statuses, { repoUrl, targetRevision }),
    startedAt: new Date().toISOString(),
  }
}

/** The record's entry for a group. */
function statusOf(
  statuses: readonly GroupStatus[],
  group: Pick<MemberGroup, 'repoUrl' | 'targetRevision'>,
): GroupStatus | undefined {
  const repository = normalizeRepositoryUrl(group.repoUrl)
  return statuses.find(
    (status) =>
      status.targetRevision === group.targetRevision && normalizeRepositoryUrl(status.repoURL) === repository,
  )
}

/** Whether the newest run of a group succeeded for this dry commit with these members and settings; a request changes nothing. */
export function isSettled(group: ObservedGroup, settings: string): boolean {
  const { unresolved, before, drySha, digest, members } = group
  return (
    !unresolved &&
    before?.phase === 'Hydrated' &&
    before.success?.drySha === drySha &&
    before.success.members === digest &&
    before.success.settings === settings &&
    members.every((member) => member.markedSpec === member.currentSpec)
  )
}

/** Whether a group that waits for a change waits on: its dry repository is unreachable, so nobody knows of one. */
export function isOutOfReach({ before, unresolved }: ObservedGroup): boolean {
  const cause = unresolved?.cause
  const isAway = cause instanceof UnavailableError || cause instanceof DeadlineExceededError
  return isAway && before?.phase === 'Failed' && before.failed?.retry === 'change'
}

/** Whether somebody asked for a hydration of a member. */
export function isRequested({ members }: MemberGroup): boolean {
  return members.some((member) => member.request !== '')
}

/** The AppProject of all members; empty when they have several. */
export function commonProject(members: readonly Member[]): string {
  const [first] = members
  const project = first?.application.project ?? ''
  return members.every((member) => member.application.project === project) ? project : ''
}
