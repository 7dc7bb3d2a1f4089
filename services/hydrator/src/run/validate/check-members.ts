import { errorMessage, InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import type { Cluster } from '@wadi/resources/cluster-secret.ts'
import { defaultLayout, type Layout, layoutOf } from '@wadi/resources/application/layout.ts'
import { isForFlux } from '@wadi/resources/application/sync-tool.ts'
import type { AppProject } from '@wadi/resources/project/app-project.ts'
import { requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import type { Member } from '../../applications/application-index.ts'
import type { DefinitionFacts } from '../../gates/cluster/cluster-definitions.ts'
import type { GateRule, RuledGate } from '../../gates/gate-rules.ts'
import type { PolicyFileFacts } from '../../gates/operator-policies.ts'
import type { Directories, Directory } from '../branch-run.ts'
import { pathConflicts } from './path-conflicts.ts'

/** The inputs besides the members that decide whether they are valid; equal values mean the same. */
export interface Permitted {
  readonly branch: string
  /** The operator's pattern for branches, and whether the branch matches it. */
  readonly branchPattern: string
  readonly isAllowed: boolean
  /** True if the branch's head is the dry commit of one of its groups. */
  readonly isDryCommit: boolean
  /** The projects of the members as they are stored, by name. */
  readonly stored: ReadonlyMap<string, string>
  readonly clusters: readonly Cluster[]
  /** The operator's rules for gates. */
  readonly gateRules: readonly GateRule[]
  /** The files with policies that they name. */
  readonly policyFiles: readonly PolicyFileFacts[]
  /** Names the policies of the cluster; empty for none. */
  readonly clusterPolicies: string
  /** The definitions of the cluster that rules name. */
  readonly clusterDefinitions: readonly DefinitionFacts[]
}

/** Returns the gates that the operator asks for Applications that share a directory. */
export type GatesOf = (members: readonly Member[]) => readonly RuledGate[]

/** A project, or why it cannot be read. */
export type ProjectRead = AppProject | InvalidInputError

/** The results of checking the members of a branch. */
export interface CheckedMembers {
  /** The errors of members, by group. */
  readonly failures: readonly (readonly ApplicationFailure[])[]
  /** The directories of the valid members, by group. */
  readonly directories: readonly (readonly Directory[])[]
  /** All of them. */
  readonly byPath: Directories
  /** Clean paths of all members. */
  readonly claimed: ReadonlySet<string>
}

/**
 * Checks the members of a branch: their objects, their projects' rights, the branch, the path rules and that no two claim one path with
 * different sources or layouts.
 */
export function checkMembers(
  groups: readonly (readonly Member[])[],
  permitted: Permitted,
  projects: ReadonlyMap<string, ProjectRead>,
  gatesOf: GatesOf,
): CheckedMembers {
  const errors = new Map<Member, string>()
  const paths = new Map<Member, string>()
  const layouts = new Map<Member, Layout>()
  const forFlux = new Set<Member>()
  // What an invalid member has on the branch stays claimed, or a withdrawn right would prune what is deployed.
  const claimed = new Set<string>()
  for (const member of groups.flat()) {
    try {
      const path = cleanDestinationPath(member.spec.syncSource.path)
      claimed.add(path)
      if (member.error !== '') throw new InvalidInputError(member.error)
      checkBranch(permitted, member)
      const project = projects.get(member.application.project)
      if (project === undefined) throw new Error(`project ${member.application.project} was not read`)
      if (project instanceof InvalidInputError) throw project
      requireProjectPermits(project, member.application, permitted.clusters)
      const { annotations } = member.application
      layouts.set(member, layoutOf(annotations, project.layout))
      if (isForFlux(annotations, project.syncTool)) forFlux.add(member)
      paths.set(member, path)
    } catch (error) {
      if (!(error instanceof InvalidInputError || error instanceof PermissionDeniedError)) throw error
      errors.set(member, errorMessage(error))
    }
  }
  for (const [member, error] of pathConflicts(permitted.branch, paths, layouts))
    if (!errors.has(member)) errors.set(member, error)
  const failuresOf = (members: readonly Member[]): ApplicationFailure[] =>
    members.flatMap((member) => {
      const message = errors.get(member)
      return message === undefined ? [] : [{ application: member.name, message }]
    })
  const directories = groups.map((members) =>
    withGates(directoriesOf(members, paths, layouts, forFlux), permitted.gateRules, gatesOf),
  )
  return {
    failures: groups.map(failuresOf),
    directories,
    byPath: VersionedMap.of(directories.flat().map((directory) => [directory.path, directory])),
    claimed,
  }
}

function checkBranch({ branch, branchPattern, isAllowed, isDryCommit }: Permitted, member: Member): void {
  assertBranchName(branch)
  assertBranchName(member.spec.syncSource.targetBranch)
  if (!isAllowed) {
    throw new InvalidInputError(
      `hydrated branch ${branch} does not match ${branchPattern}, the pattern that the operator set ` +
        'in argocd-cm sourceHydrator.branchPattern',
    )
  }
  const { drySource, syncSource } = member.spec
  const target = repositoryIdentity(syncSource.repoURL ?? drySource.repoURL)
  const here = drySourcesOf(member.spec).filter(({ repoURL }) => repositoryIdentity(repoURL) === target)
  const namesBranch = here.some(
    ({ targetRevision }) => targetRevision.replace(/^refs\/heads\//u, '') === branch,
  )
  if (here.length > 0 && (namesBranch || isDryCommit)) {
    throw new InvalidInputError(`branch ${branch} is the dry source itself; hydrate to another branch`)
  }
}

function directoriesOf(
  members: readonly Member[],
  paths: ReadonlyMap<Member, string>,
  layouts: ReadonlyMap<Member, Layout>,
  forFlux: ReadonlySet<Member>,
): Directory[] {
  const directories = new Map<string, Directory>()
  for (const member of members) {
    const path = paths.get(member)
    if (path === undefined) continue
    const known = directories.get(path)
    if (known) known.members.push(member)
    const layout = layouts.get(member) ?? defaultLayout
    const directory = known ?? { path, members: [member], layout }
    // Of members that share it one is enough.
    if (forFlux.has(member)) directory.forFlux = true
    directories.set(path, directory)
  }
  return [...directories.values()]
}

/** Sets the severities of directories. */
function withGates(directories: Directory[], rules: readonly GateRule[], gatesOf: GatesOf): Directory[] {
  if (rules.length === 0) return directories
  return directories.map((directory) => ({ ...directory, gates: gatesOf(directory.members) }))
}
