import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readClusters } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readProject } from '@wadi/resources/project/project-permission.ts'
import { branchIsAllowed } from '../../operator-settings.ts'
import type { ValidatedRun } from '../branch-run.ts'
import type { ProjectRead } from './check-members.ts'
import { gatesOf } from './gates-of.ts'
import type { RunContext } from '../run-context.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { RunInProgress } from '../run-outcome.ts'

/**
 * Checks every member before anything is rendered: the rules for its object, the project's rights on both repositories and the destination, the
 * operator's branch pattern, the path rules and that no two members claim one path with different sources or layouts. An invalid
 * member fails its group; the others get their directories. Projects and clusters are those of now.
 */
export async function validate(
  { store, known }: Pick<RunContext, 'store' | 'known'>,
  { run, outcome }: RunInProgress,
): Promise<ValidatedRun> {
  const { groups, branch, settings } = run
  const [{ stored, projects }, clusters] = await Promise.all([
    readProjectsOf({ store }, run),
    readClusters(store),
  ])
  const permitted = {
    branch,
    branchPattern: settings.branchPattern,
    isAllowed: branchIsAllowed(settings, branch),
    // `HEAD` and tags do not name their branch, but a branch whose head is the dry commit is not a hydrated one.
    isDryCommit: groups.some(({ sources }) =>
      sources.some(({ drySha }) => drySha !== '' && drySha === outcome.position.headSha),
    ),
    stored,
    clusters,
    gateRules: settings.gateRules ?? [],
    policyFiles: settings.policyFiles ?? [],
    clusterPolicies: settings.clusterPolicies?.id ?? '',
    clusterDefinitions: settings.clusterDefinitions ?? [],
  }
  const lists = groups.map(({ members }) => members)
  const { failures, directories, byPath, claimed } = known.checked(
    lists,
    permitted,
    projects,
    await gatesOf(run, clusters),
  )
  for (const [index, group] of groups.entries()) {
    const own = failures[index] ?? []
    if (own.length > 0) outcome.failures.getOrInsert(group, { message: '', failures: [...own] })
  }
  return {
    ...run,
    directories: new Map(groups.map((group, index) => [group, directories[index] ?? []])),
    byPath,
    claimed,
  }
}

/** Reads the projects of all members, each once. */
async function readProjectsOf(
  { store }: Pick<RunContext, 'store'>,
  { groups }: Pick<RunInProgress['run'], 'groups'>,
): Promise<{ stored: Map<string, string>; projects: Map<string, ProjectRead> }> {
  const stored = new Map<string, string>()
  const projects = new Map<string, ProjectRead>()
  for (const { members } of groups) {
    for (const name of factsOf(members).projects) {
      if (stored.has(name)) continue
      const resource = await store.get('AppProject', controlPlaneNamespace, name)
      stored.set(name, JSON.stringify(resource ?? null))
      projects.set(name, await readOrError({ get: async () => resource }, name))
    }
  }
  return { stored, projects }
}

async function readOrError(store: Parameters<typeof readProject>[0], name: string): Promise<ProjectRead> {
  try {
    return await readProject(store, name)
  } catch (error) {
    if (error instanceof InvalidInputError) return error
    throw error
  }
}
