import { sourceVerification, type Verification } from '@wadi/hydration/source-verification.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readProjects } from '@wadi/resources/project/project-permission.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

interface ReadCommit {
  repoUrl: string
  revision: string
  /** Empty when each Application gets its own. */
  project: string
  /** True if the checks of the Applications report a project that does not exist. */
  checksProjectsLater: boolean
}

/**
 * Whose signatures a commit needs that a generator reads. As in Argo CD, no signature is required while each Application may
 * get another project.
 * @throws InvalidInputError for a project that cannot be read or, unless that is checked later, does not exist
 */
export async function commitVerification(
  store: Pick<ResourceStore, 'get'>,
  { repoUrl, revision, project, checksProjectsLater }: ReadCommit,
): Promise<Verification> {
  const isUnknown = project === '' || (checksProjectsLater && !(await hasProject(store, project)))
  const projects = await readProjects(store, isUnknown ? [] : [project])
  return sourceVerification(store, { repoUrl, projects, revision })
}

async function hasProject(store: Pick<ResourceStore, 'get'>, name: string): Promise<boolean> {
  return name === 'default' || (await store.get('AppProject', controlPlaneNamespace, name)) !== undefined
}
