import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import type {
  CloneProtocol,
  ForgeBranch,
  ForgeRepository,
  RepositorySource,
} from '@wadi/forges/forge-answers.ts'
import type { ScmProviderFilter } from './scm-provider-filters.ts'

/** A branch that an scmProvider generator takes. */
export interface FoundBranch {
  organization: string
  repository: string
  repositoryId: string
  url: string
  branch: string
  sha: string
  labels: readonly string[]
}

/** Forges slow down those who ask more at once. */
const maxRepositoriesAtOnce = 4

type Labels = () => Promise<readonly string[]>

/**
 * The branches that the filters accept. One of the filters that decide about repositories alone must accept the repository,
 * then one of those that decide about branches too must accept the branch. Nothing is requested about a repository that
 * cannot pass any more.
 */
export async function filteredBranches(
  source: RepositorySource,
  filters: readonly ScmProviderFilter[],
  cloneProtocol: CloneProtocol,
): Promise<FoundBranch[]> {
  const ofRepositories = filters.filter(({ isOfBranches }) => !isOfBranches)
  const ofBranches = filters.filter(({ isOfBranches }) => isOfBranches)
  // While pages are read, repositories that are made or removed move others to another page.
  const unique = new Map((await source.repositories()).map((repository) => [repository.id, repository]))
  const found = await mapWithLimit([...unique.values()], maxRepositoriesAtOnce, async (repository) => {
    let answer: Promise<readonly string[]> | undefined
    const labels: Labels = () => (answer ??= source.labels(repository))
    if (ofRepositories.length > 0 && !(await someTakes(ofRepositories, repository, labels))) return []
    if (ofBranches.length > 0 && !(await someTakes(ofBranches, repository, labels))) return []
    const taken: ForgeBranch[] = []
    for (const branch of await source.branches(repository)) {
      if (await isTaken(source, ofBranches, repository, branch.name, labels)) taken.push(branch)
    }
    const { organization, name, id, cloneUrls } = repository
    const names = taken.length > 0 ? await labels() : []
    return taken.map((branch) => ({
      organization,
      repository: name,
      repositoryId: id,
      url: cloneUrls[cloneProtocol],
      branch: branch.name,
      sha: branch.sha,
      labels: names,
    }))
  })
  return found.flat()
}

async function someTakes(
  filters: readonly ScmProviderFilter[],
  repository: ForgeRepository,
  labels: Labels,
): Promise<boolean> {
  for (const filter of filters) if (await takesRepository(filter, repository, labels)) return true
  return false
}

async function takesRepository(
  { repositoryMatch, labelMatch }: ScmProviderFilter,
  { name }: ForgeRepository,
  labels: Labels,
): Promise<boolean> {
  if (repositoryMatch && !repositoryMatch(name)) return false
  return !labelMatch || (await labels()).some((label) => labelMatch(label))
}

async function isTaken(
  source: RepositorySource,
  filters: readonly ScmProviderFilter[],
  repository: ForgeRepository,
  branch: string,
  labels: Labels,
): Promise<boolean> {
  if (filters.length === 0) return true
  for (const filter of filters) {
    if (filter.branchMatch && !filter.branchMatch(branch)) continue
    if (!(await takesRepository(filter, repository, labels))) continue
    if (await hasPaths(source, filter, repository, branch)) return true
  }
  return false
}

async function hasPaths(
  source: RepositorySource,
  { paths }: ScmProviderFilter,
  repository: ForgeRepository,
  branch: string,
): Promise<boolean> {
  for (const { path, exists } of paths) {
    if ((await source.hasPath(repository, branch, path)) !== exists) return false
  }
  return true
}
