import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { ApplicationName } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ApplicationIndex, Member } from '../applications/application-index.ts'
import type { GroupSource, MemberGroup } from '../run/branch-run.ts'
import { groupsOf } from '../run/observe/groups.ts'

/** A hydrated branch with members that are fed from the dry repository. */
export interface FedBranch {
  readonly key: string
  readonly repoUrl: string
  readonly branch: string
  /** All members, also those that are not asked for: they may claim the same paths. */
  readonly members: readonly Member[]
  /** The groups of the dry repository with a member that is asked for. */
  readonly groups: readonly MemberGroup[]
}

/** Returns true for an Application that is requested. */
export type Wanted = (member: Pick<Member, 'name'>) => boolean

/** Reads which Applications are asked for; without names all are. */
export function wantedApplications(names: readonly Pick<ApplicationName, 'namespace' | 'name'>[]): Wanted {
  if (names.length === 0) return () => true
  const wanted = new Set(names.map(({ namespace, name }) => `${namespace || controlPlaneNamespace}/${name}`))
  return ({ name }) => wanted.has(name)
}

/** Returns what tells whether a source is of a git repository, in any spelling of its URL. */
export function isOfRepository(repoUrl: string): (source: GroupSource) => boolean {
  const repository = repositoryIdentity(repoUrl)
  return (source) => source.chart === '' && repositoryIdentity(source.repoUrl) === repository
}

/** The hydrated branches of a dry repository, whatever its spelling. */
export function branchesFed(index: ApplicationIndex, repoUrl: string, isWanted: Wanted): FedBranch[] {
  const isHere = isOfRepository(repoUrl)
  return index.branchKeys().flatMap((key) => {
    const members = index.members(key)
    const target = members[0] && hydratedBranchOf(members[0].application)
    const groups = groupsOf(members, []).filter(
      (group) => group.sources.some(isHere) && group.members.some(isWanted),
    )
    return target && groups.length > 0 ? [{ key, ...target, members, groups }] : []
  })
}
