import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { Inspection } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Directory, Fingerprints, ObservedGroup, ObservedRun } from '../branch-run.ts'
import { addError, type DirectoryErrors, noErrors } from '../directory-errors.ts'
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
}

/** One dry commit that a group is to be brought to. */
export interface WantedOfGroup extends GroupOfRun, WantedCommit {
  /** Set if neither plugins nor actions and ytt may run, for a commit of somebody who cannot push; false by default. */
  withoutCommands?: boolean
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
  /** Directories that cannot be rendered; then nothing is. */
  errors: DirectoryErrors
  /** The changed directories whose gates judge objects by those that they replace. */
  wantsFormer: ReadonlySet<Directory>
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
  return planOf(wanted, wanted.group, found)
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

/** Returns the work for a dry commit: the directories whose fingerprint is not in the outcome. */
export function planOf(
  { run, outcome }: Pick<GroupOfRun, 'run' | 'outcome'>,
  group: ObservedGroup,
  found: readonly FoundInList[],
): GroupPlan {
  const [first, ...more] = found
  const plan: GroupPlan = {
    changed: [],
    fingerprints: (first?.findings.fingerprints ?? VersionedMap.of()).with(
      more.flatMap(({ findings }) => [...findings.fingerprints]),
    ),
    rendered: new Map(),
    objects: new Map(),
    errors: noErrors(),
    wantsFormer: new Set(),
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
  const differing = new Set(plan.fingerprints.differingFrom(outcome.known))
  const wantsFormer = new Set<Directory>()
  for (const { list, findings } of found) {
    for (const [index, directory] of list.directories.entries()) {
      const fingerprint = differing.has(directory.path) ? plan.fingerprints.get(directory.path) : undefined
      if (fingerprint === undefined) continue
      plan.changed.push({ directory, fingerprint })
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
