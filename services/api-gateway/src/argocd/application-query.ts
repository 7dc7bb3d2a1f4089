import type { JsonObject } from '@bufbuild/protobuf'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { ApplicationQuery } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import { readableApplication } from '../applications/application-view.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The projects that a query limits the answer to; none for all. */
export function projectsOf({ project, projects }: ApplicationQuery): string[] {
  return [...project, ...projects]
}

/**
 * Returns whether a query selects an Application, whatever its namespace.
 * @throws InvalidInputError for a label selector that cannot be read
 */
export function applicationFilter(query: ApplicationQuery): (view: JsonObject) => boolean {
  const { name, selector, repo } = query
  const isSelected = parseLabelSelector(selector)
  const projects = new Set(projectsOf(query))
  const wantedRepository = repo === '' ? undefined : repositoryIdentity(repo)
  return (view) => {
    const resource = view as unknown as Resource
    if (name !== '' && resource.metadata.name !== name) return false
    if (!isSelected(resource.metadata.labels)) return false
    if (projects.size === 0 && wantedRepository === undefined) return true
    const application = readableApplication(resource)
    if (!application) return false
    if (projects.size > 0 && !projects.has(application.project)) return false
    const { sources } = application
    return (
      wantedRepository === undefined || sources.some((url) => repositoryIdentity(url) === wantedRepository)
    )
  }
}
