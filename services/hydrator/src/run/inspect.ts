import { createHash } from 'node:crypto'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { Inspection } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Directory, ObservedRun } from './branch-run.ts'
import { addError, type DirectoryErrors, noErrors } from './directory-errors.ts'
import { verificationAt } from './group-verification.ts'
import type { RunContext } from './run-context.ts'
import type { GroupOfRun } from './run-outcome.ts'
import { nameSome } from './validate.ts'
import { sourceBatches } from './source-batches.ts'
import type { WantedCommit } from './wanted-commits.ts'

/** A directory and what decides its bytes at one dry commit. */
export interface InspectedDirectory {
  directory: Directory
  fingerprint: string
}

/** One dry commit that a group is to be brought to. */
export interface WantedOfGroup extends GroupOfRun, WantedCommit {}

/** What must be done for one dry commit of a group. */
export interface GroupPlan {
  /** Directories whose fingerprint is not the one that the branch's head was rendered from. */
  changed: InspectedDirectory[]
  /** Fingerprints of all the group's directories. */
  fingerprints: Map<string, string>
  /** Directories that cannot be rendered; then nothing is. */
  errors: DirectoryErrors
}

/** Asks repo-server what decides each directory's bytes at a dry commit and keeps those that differ from what the branch holds. */
export async function inspect(
  context: RunContext,
  { run, outcome, group, drySha }: WantedOfGroup,
  signal: AbortSignal,
): Promise<GroupPlan> {
  const plan: GroupPlan = { changed: [], fingerprints: new Map(), errors: noErrors() }
  const { repoUrl, project } = group
  const directories = run.directories.get(group) ?? []
  for (const { items, sources } of sourceBatches(directories, (directory) => directory)) {
    const verification = verificationAt(group, drySha)
    const request = { repoUrl, project, sha: drySha, sources, ...(verification && { verification }) }
    const { inspections } = await context.repoServer.inspectSources(request, { signal })
    for (const [index, directory] of items.entries())
      addInspected({ run, outcome, group }, plan, { directory, inspection: inspections[index] })
  }
  return plan
}

function addInspected(
  { run, outcome }: GroupOfRun,
  plan: GroupPlan,
  { directory, inspection }: { directory: Directory; inspection: Inspection | undefined },
): void {
  if (!inspection || inspection.error !== '') {
    const { error, retryable } = inspection ?? {
      error: 'repo-server returned nothing for the source',
      retryable: true,
    }
    addError(plan.errors, directory, { error, retryable })
    return
  }
  const conflicts = nameConflicts(run, directory, inspection.pluginVariables)
  if (conflicts.length > 0) {
    plan.errors.failures.push(...conflicts)
    plan.errors.mayPass = false
    return
  }
  const { warnings } = inspection
  const fingerprint = identityOf(directory, inspection.fingerprint)
  for (const member of directory.members) outcome.warnings.set(member.name, warnings)
  plan.fingerprints.set(directory.path, fingerprint)
  if (outcome.held?.get(directory.path) !== fingerprint) plan.changed.push({ directory, fingerprint })
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
  const differing = [
    ...(members.length > 1 ? ['ARGOCD_APP_NAME'] : []),
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

/** What decides all files of a directory: the README names the Applications too. */
export function identityOf({ members }: Directory, fingerprint: string): string {
  const names = members.map((member) => member.name).join('\n')
  return `${fingerprint}.${createHash('sha256').update(names).digest('base64url').slice(0, 11)}`
}
