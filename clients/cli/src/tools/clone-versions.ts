import { branchTools } from '@wadi/hydration/branch-tools.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { toolNames } from '@wadi/hydration/tool-versions.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { GitRepository } from '../render/git-repository.ts'
import { type KeptVersions, keptVersions, nothingKept } from './kept-versions.ts'

/** Most branches that are looked at, those with the newest commits first. */
const maxBranches = 1_000
const maxNamed = 3

/**
 * Returns the versions that the hydrated branches of a clone keep: those of one branch, or those on which all of them agree.
 * @param branch the hydrated branch; undefined for all
 * @throws CommandFailure for a branch that is not there or not hydrated
 */
export async function keptInClone(
  repository: GitRepository,
  branch: string | undefined,
): Promise<KeptVersions> {
  if (branch !== undefined) return keptByBranch(repository, branch)
  const kept = new Map<string, KeptVersions>()
  for (const [name, reference] of [...(await repository.branches())].slice(0, maxBranches)) {
    const found = await keptAt(repository, name, reference)
    if (found) kept.set(name, found)
  }
  const [first, ...others] = kept.values()
  if (first === undefined || others.length === 0) return first ?? nothingKept
  const versions: Record<string, string> = {}
  const undecided = new Map<string, string>()
  for (const name of toolNames) {
    const branches = Map.groupBy(kept.keys(), (one) => kept.get(one)?.versions[name] ?? '')
    branches.delete('')
    const [version = ''] = branches.keys()
    if (branches.size === 1) versions[name] = version
    if (branches.size < 2) continue
    const named = Array.from(branches, ([which, of]) => `${which} (${someInLine(of, maxNamed)})`)
    undecided.set(name, someInLine(named, maxNamed))
  }
  return { versions, reason: 'kept by all hydrated branches of this clone', undecided }
}

async function keptByBranch(repository: GitRepository, branch: string): Promise<KeptVersions> {
  const reference = (await repository.branches()).get(branch)
  if (reference === undefined)
    throw new CommandFailure(`${repository.location} has no branch ${JSON.stringify(branch)}; fetch it`)
  const kept = await keptAt(repository, branch, reference)
  if (kept) return kept
  throw new CommandFailure(
    `branch ${JSON.stringify(branch)} is not a hydrated branch: it has no ${hydratedFiles.metadata} at its root`,
  )
}

/** The versions that a branch keeps; undefined for one that is not hydrated. */
async function keptAt(
  repository: GitRepository,
  branch: string,
  reference: string,
): Promise<KeptVersions | undefined> {
  if (!(await repository.has(`${reference}:${hydratedFiles.metadata}`))) return undefined
  return keptVersions(await branchTools(await repository.openCommit(reference)), `kept by branch ${branch}`)
}
