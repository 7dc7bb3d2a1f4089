import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { Inspection } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Directory, Fingerprints, ObservedGroup, ObservedRun } from '../branch-run.ts'
import { addError, type DirectoryErrors, noErrors } from '../directory-errors.ts'
import type {
  BranchDefinition,
  BranchDefinitions,
  DirectoryDefinitions,
  MadeInPass,
} from '../definitions/made-kinds.ts'
import { definedIdentity } from './list-findings.ts'
import { type InspectedList, joinedLists } from './joined-inspections.ts'
import { sourceRequest } from './source-request.ts'
import { namedTools, requestedTools } from '../branch-tools.ts'
import type { RunContext } from '../run-context.ts'
import type { GroupOfRun } from '../run-outcome.ts'
import { nameSome } from '../validate/path-conflicts.ts'
import type { ListFindings } from './list-findings.ts'
import { recordedRenderers } from './recorded-renderers.ts'
import type { SourceList } from './source-lists.ts'
import type { WantedCommit } from './wanted-commits.ts'

/** A directory and what decides its bytes at one dry commit. */
export interface InspectedDirectory {
  directory: Directory
  fingerprint: string
  /** The definitions of other directories that its objects are checked by; default: none. */
  definitions?: DirectoryDefinitions
}

/** One dry commit that a group is to be brought to. */
export interface WantedOfGroup extends GroupOfRun, WantedCommit {
  /** Set if neither plugins nor actions and ytt may run, for a commit of somebody who cannot push; false by default. */
  withoutCommands?: boolean
  /** The objects that an earlier render of the dry commit found, whose definitions apply; default: nothing. */
  made?: MadeInPass | undefined
}

/** The work for one dry commit of a group. */
export interface GroupPlan {
  /** Directories whose fingerprint is not the one that the branch's head was rendered from. */
  changed: InspectedDirectory[]
  /** Fingerprints of all the group's directories. */
  fingerprints: Fingerprints
  /** Fingerprints that a render found to be other ones. */
  rendered: Map<string, string>
  /** The objects of what was rendered, as `objectsText` writes them. */
  objects: Map<string, string>
  /** The CustomResourceDefinitions among them; without directories that have none. */
  defined: Map<string, readonly BranchDefinition[]>
  /** The rendered objects, if the branch would have other definitions with it than those by which objects were checked. */
  outdatedBy: MadeInPass | undefined
  /** Directories that cannot be rendered; then nothing is. */
  errors: DirectoryErrors
  /** The changed directories whose gates judge objects by those that they replace. */
  wantsFormer: ReadonlySet<Directory>
  /** The directories of which custom resources are checked. */
  wantsDefinitions: ReadonlySet<Directory>
  definitions: BranchDefinitions
}

/** Asks repo-server what decides each directory's bytes at a dry commit and keeps those that differ from what the branch holds. */
export async function inspect(
  context: RunContext,
  wanted: WantedOfGroup,
  signal: AbortSignal,
): Promise<GroupPlan> {
  const found = await findInLists(context, wanted, signal)
  // What a repository names is the same for all sources of a list.
  const first = found.map(({ findings }) => findings.inspections.get(0))
  wanted.outcome.named.set(wanted.group, namedTools(first))
  wanted.outcome.renderedBy.set(wanted.group, recordedRenderers(found))
  return planOf(wanted, wanted.group, found, await definitionsFor(context, wanted, found, signal))
}

/** Asks repo-server what decides each directory's bytes at a dry commit. */
export async function findInLists(
  context: RunContext,
  { run, group, drySha, withoutCommands = false }: Omit<WantedOfGroup, 'outcome'>,
  signal: AbortSignal,
): Promise<readonly FoundInList[]> {
  const inspected: InspectedList[] = []
  for (const list of context.known.lists(run.directories.get(group) ?? [])) {
    const request = {
      ...sourceRequest(group, list.position, drySha),
      list,
      withoutCommands,
      ...requestedTools(run, withoutCommands),
    }
    const inspections = await context.shared.inspectSources(run.key, request, signal)
    inspected.push({ list, inspections })
  }
  return joinedLists(inspected).map(({ list, inspections }) => ({
    list,
    findings: context.known.findings(list, inspections),
  }))
}

/** A list of the directories of a group, and what its inspections say. */
export interface FoundInList {
  readonly list: SourceList
  readonly findings: ListFindings
}

/** The definitions of a branch for those of its directories that want them. */
export interface FoundDefinitions extends Pick<GroupPlan, 'wantsDefinitions' | 'definitions'> {}

/** No definitions, which nothing wants. */
export const noDefinitions: FoundDefinitions = {
  wantsDefinitions: new Set(),
  definitions: { of: () => undefined, areKnown: true },
}

/** Finds the definitions of a branch that the gates of directories want. */
export async function definitionsFor(
  context: RunContext,
  { run, outcome, made }: Pick<WantedOfGroup, 'run' | 'outcome' | 'made'>,
  found: readonly FoundInList[],
  signal: AbortSignal,
): Promise<FoundDefinitions> {
  const wanting = new Set<Directory>()
  for (const { list, findings } of found) {
    for (const [index, directory] of list.directories.entries())
      if (findings.inspections.get(index)?.wantsDefinitions) wanting.add(directory)
  }
  if (wanting.size === 0) return noDefinitions
  const { readBranchDefinitions } = await import('../definitions/branch-definitions.ts')
  const definitions = await readBranchDefinitions(context, { run, outcome, made, wanting }, signal)
  return { wantsDefinitions: wanting, definitions }
}

/** Returns the work for a dry commit: the directories whose fingerprint is not in the outcome. */
export function planOf(
  { run, outcome }: Pick<GroupOfRun, 'run' | 'outcome'>,
  group: ObservedGroup,
  found: readonly FoundInList[],
  { wantsDefinitions, definitions }: FoundDefinitions,
): GroupPlan {
  const [first, ...more] = found
  const plan: GroupPlan = {
    changed: [],
    fingerprints: (first?.findings.fingerprints ?? VersionedMap.of()).with(
      more.flatMap(({ findings }) => [...findings.fingerprints]),
    ),
    rendered: new Map(),
    objects: new Map(),
    defined: new Map(),
    outdatedBy: undefined,
    errors: noErrors(),
    wantsFormer: new Set(),
    wantsDefinitions,
    definitions,
  }
  for (const facts of [outcome.warnings, outcome.findings])
    if (facts.size > 0) for (const { name } of group.members) facts.delete(name)
  for (const { list, findings } of found) {
    for (const index of findings.notable) {
      const directory = list.directories[index]
      if (directory)
        addNotable({ run, outcome }, plan, { directory, inspection: findings.inspections.get(index) })
    }
  }
  plan.fingerprints = plan.fingerprints.with(
    Array.from(wantsDefinitions, (directory) => {
      const fingerprint = plan.fingerprints.get(directory.path)
      return [directory.path, fingerprint && definedIdentity(fingerprint, definitions.of(directory))]
    }),
  )
  const differing = new Set(plan.fingerprints.differingFrom(definitions.areKnown ? outcome.known : undefined))
  const wantsFormer = new Set<Directory>()
  for (const { list, findings } of found) {
    for (const [index, directory] of list.directories.entries()) {
      const fingerprint = differing.has(directory.path) ? plan.fingerprints.get(directory.path) : undefined
      if (fingerprint === undefined) continue
      const own = definitions.of(directory)
      plan.changed.push({ directory, fingerprint, ...(own && { definitions: own }) })
      if (findings.inspections.get(index)?.wantsFormer) wantsFormer.add(directory)
    }
  }
  return { ...plan, wantsFormer }
}

function addNotable(
  { run, outcome }: Pick<GroupOfRun, 'run' | 'outcome'>,
  plan: GroupPlan,
  { directory, inspection }: { directory: Directory; inspection: Inspection | undefined },
): void {
  if (!inspection || inspection.error !== '') {
    const nothing = { error: 'repo-server returned nothing for the source', retryable: true }
    addError(plan.errors, directory, inspection ?? nothing)
    return
  }
  const conflicts = nameConflicts(run, directory, inspection.pluginVariables)
  if (conflicts.length > 0) {
    plan.errors.failures.push(...conflicts)
    plan.errors.mayPass = false
    plan.fingerprints = plan.fingerprints.with([[directory.path, undefined]])
    return
  }
  const { warnings } = inspection
  const findings = [...inspection.findings, ...inspection.coveredFindings]
  for (const { name } of directory.members) {
    if (warnings.length > 0) outcome.warnings.set(name, warnings)
    if (findings.length > 0) outcome.findings.set(name, findings)
  }
}

/**
 * An error for each of several Applications that share a directory although their plugin receives what differs. What
 * the sources say is equal already, or they would not be in one directory.
 */
function nameConflicts(
  run: ObservedRun,
  { path, members }: Directory,
  pluginVariables: readonly string[],
): ApplicationFailure[] {
  const [{ application: first }] = members
  if (members.length === 1) return []
  const differing = [
    'ARGOCD_APP_NAME',
    ...(members.some(({ application }) => application.project !== first.project)
      ? ['ARGOCD_APP_PROJECT_NAME']
      : []),
  ].filter((name) => pluginVariables.includes(name))
  if (differing.length === 0) return []
  return members.map((member) => {
    const others = members.filter((other) => other !== member)
    const message =
      `path ${path || '.'} of branch ${run.branch} is also claimed by ${nameSome(others)}, and the plugin that renders it is ` +
      `given ${differing.join(' and ')}, so each has its own manifests; give each its own path`
    return { application: member.name, message }
  })
}
