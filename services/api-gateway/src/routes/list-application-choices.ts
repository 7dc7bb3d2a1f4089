import type { HandlerContext } from '@connectrpc/connect'
import type { ListApplicationChoicesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** The most values of one list. */
const maxChoices = 1_000

/** Lists what the Applications have that the caller may see, by which a filter can select them. */
export function listApplicationChoices({ summaries, authorization }: GatewayContext) {
  return async (_request: ListApplicationChoicesRequest, call: HandlerContext) => {
    const listed = summaries.sorted.filter(visibleTo(authorization, call))
    const seen = listed.map(({ source }) => source.spec)
    const projects = choices(seen.map(({ project }) => project))
    const branches = choices(seen.flatMap(({ syncBranch, hydrateToBranch }) => [syncBranch, hydrateToBranch]))
    const applicationSets = choices(seen.map(({ applicationSet }) => applicationSet))
    const repositories = choices(seen.map(({ repoUrl }) => repoUrl))
    const labels = choices(
      seen.flatMap(({ labels: own }) => Object.entries(own).map(([key, value]) => `${key}=${value}`)),
    )
    const clusters = choices(seen.map(({ cluster }) => cluster))
    const namespaces = choices(seen.map(({ destinationNamespace }) => destinationNamespace))
    const renderers = choices(listed.flatMap(({ summary }) => summary.renderers))
    const tools = choices(listed.flatMap(({ summary }) => summary.tools))
    const ofSpecs = [projects, branches, applicationSets, repositories, labels, clusters, namespaces]
    const lists = [...ofSpecs, renderers, tools]
    return {
      projects: projects.slice(0, maxChoices),
      branches: branches.slice(0, maxChoices),
      applicationSets: applicationSets.slice(0, maxChoices),
      repositories: repositories.slice(0, maxChoices),
      labels: labels.slice(0, maxChoices),
      clusters: clusters.slice(0, maxChoices),
      destinationNamespaces: namespaces.slice(0, maxChoices),
      renderers: renderers.slice(0, maxChoices),
      tools: tools.slice(0, maxChoices),
      hasMore: lists.some(({ length }) => length > maxChoices),
    }
  }
}

function choices(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted()
}
