import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { readableApplication } from '../applications/application-view.ts'

/** A repository as the Applications of a project use it; the fields are those of the message `UsedRepository`. */
export interface UsedRepository {
  readonly repoUrl: string
  readonly project: string
  readonly deployedBranches: string[]
}

/** As many as a service accepts. */
const maxRepositories = 200
const maxBranches = 100

/** Returns the git repositories that Applications are hydrated from, and those that they are hydrated to. */
export async function usedRepositories(
  store: Pick<ResourceStore, 'list'>,
): Promise<{ readonly dry: readonly UsedRepository[]; readonly hydrated: readonly UsedRepository[] }> {
  const { items } = await store.list('Application')
  const dry = new Map<string, UsedRepository>()
  const hydrated = new Map<string, UsedRepository>()
  for (const resource of items) {
    const application = readableApplication(resource)
    const branch = application && hydratedBranchOf(application)
    if (!application?.hydrated || !branch) continue
    const { project } = application
    for (const { repoURL: repoUrl, chart } of drySourcesOf(application.hydrated)) {
      if (chart) continue
      dry.set(`${repoUrl}\n${project}`, { repoUrl, project, deployedBranches: [] })
    }
    const { repoUrl } = branch
    const place = hydrated.getOrInsert(`${repoUrl}\n${project}`, { repoUrl, project, deployedBranches: [] })
    const { targetBranch } = application.hydrated.syncSource
    if (!place.deployedBranches.includes(targetBranch) && place.deployedBranches.length < maxBranches) {
      place.deployedBranches.push(targetBranch)
    }
  }
  const some = (repositories: ReadonlyMap<string, UsedRepository>) =>
    [...repositories.values()].slice(0, maxRepositories)
  return { dry: some(dry), hydrated: some(hydrated) }
}
