import type { HandlerContext } from '@connectrpc/connect'
import type { ListApplicationChoicesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** The most values of one list. */
const maxChoices = 1_000

/** Lists the projects, branches, ApplicationSets, dry repositories, labels, clusters and namespaces of the Applications that the caller may see. */
export function listApplicationChoices({ summaries, authorization }: GatewayContext) {
  return async (_request: ListApplicationChoicesRequest, call: HandlerContext) => {
    const seen = summaries.sorted.filter(visibleTo(authorization, call)).map(({ source }) => source.spec)
    const projects = choices(seen.map(({ project }) => project))
    const branches = choices(seen.flatMap(({ syncBranch, hydrateToBranch }) => [syncBranch, hydrateToBranch]))
    const applicationSets = choices(seen.map(({ applicationSet }) => applicationSet))
    const repositories = choices(seen.map(({ repoUrl }) => repoUrl))
    const labels = choices(
      seen.flatMap(({ labels: own }) => Object.entries(own).map(([key, value]) => `${key}=${value}`)),
    )
    const clusters = choices(seen.map(({ cluster }) => cluster))
    const namespaces = choices(seen.map(({ destinationNamespace }) => destinationNamespace))
    const lists = [projects, branches, applicationSets, repositories, labels, clusters, namespaces]
    return {
      projects: projects.slice(0, maxChoices),
      branches: branches.slice(0, maxChoices),
      applicationSets: applicationSets.slice(0, maxChoices),
      repositories: repositories.slice(0, maxChoices),
      labels: labels.slice(0, maxChoices),
      clusters: clusters.slice(0, maxChoices),
      destinationNamespaces: namespaces.slice(0, maxChoices),
      hasMore: lists.some(({ length }) => length > maxChoices),
    }
  }
}

function choices(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted()
}
