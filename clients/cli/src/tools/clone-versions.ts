import { branchTools } from '@wadi/hydration/branch-tools.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { plainVersion, toolNames, type ToolVersions } from '@wadi/hydration/tool-versions.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { GitRepository } from '../render/git-repository.ts'
import { type KeptVersions, nothingKept } from './kept-versions.ts'

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
  const kept = new Map<string, ToolVersions>()
  for (const [name, reference] of [...(await repository.branches())].slice(0, maxBranches)) {
    const versions = await versionsAt(repository, reference)
    if (versions) kept.set(name, versions)
  }
  const [first, ...others] = kept.keys()
  if (first === undefined) return nothingKept
  const reason =
    others.length === 0 ? `kept by branch ${first}` : 'kept by all hydrated branches of this clone'
  const versions: Record<string, string> = {}
  const undecided = new Map<string, string>()
  for (const name of toolNames) {
    const branches = Map.groupBy(
      [...kept].filter(([, found]) => found[name] !== undefined),
      ([, found]) => plainVersion(found[name] ?? ''),
    )
    const [version] = branches.keys()
    if (version !== undefined && branches.size === 1) versions[name] = version
    if (branches.size < 2) continue
    const named = [...branches].map(
      ([one, of]) =>
        `${one} (${someInLine(
          of.map(([which]) => which),
          maxNamed,
        )})`,
    )
    undecided.set(name, someInLine(named, maxNamed))
  }
  return { versions, reason, undecided }
}

async function keptByBranch(repository: GitRepository, branch: string): Promise<KeptVersions> {
  const reference = (await repository.branches()).get(branch)
  if (reference === undefined)
    throw new CommandFailure(`${repository.location} has no branch ${JSON.stringify(branch)}; fetch it`)
  const versions = await versionsAt(repository, reference)
  if (versions) return { versions, reason: `kept by branch ${branch}` }
  throw new CommandFailure(
    `branch ${JSON.stringify(branch)} is not a hydrated branch: it has no ${hydratedFiles.metadata} at its root`,
  )
}

/** The versions that a branch keeps; undefined for one that is not hydrated. */
async function versionsAt(repository: GitRepository, reference: string): Promise<ToolVersions | undefined> {
  if (!(await repository.has(`${reference}:${hydratedFiles.metadata}`))) return undefined
  return branchTools(await repository.openCommit(reference))
}
