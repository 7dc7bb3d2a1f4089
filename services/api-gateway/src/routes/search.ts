import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { SearchRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { foundCommits } from '../summaries/found-commits.ts'
import { foundObjects } from '../summaries/found-objects.ts'
import { nearestNames } from '../summaries/nearest-names.ts'
import { searchedText, visibleTo } from '../summaries/summary-filter.ts'

const usualLimit = 6
const maxLimit = 50

/** Finds Applications that the caller may see, and what they are made of, by a text, from the summaries in memory, and objects of theirs, which the hydrator knows. */
export function search(context: GatewayContext) {
  const { summaries, authorization } = context
  return async ({ text, limit }: SearchRequest, call: HandlerContext) => {
    const searched = searchedText(text.trim())
    if (searched === '') throw new InvalidInputError('text is required')
    if (limit < 0 || limit > maxLimit) {
      throw new InvalidInputError(`limit must be 1 to ${maxLimit}, or 0 for ${usualLimit}, not ${limit}`)
    }
    const visible = summaries.sorted.filter(visibleTo(authorization, call))
    const nearest = <Item>(items: Iterable<Item>, nameOf: (item: Item) => string) =>
      nearestNames(items, nameOf, searched).slice(0, limit || usualLimit)
    const specs = visible.map(({ source }) => source.spec)
    const bounds = { limit: limit || usualLimit, signal: call.signal }
    const inManifests = await foundObjects(context, visible, searched, bounds)
    const applications = visible.filter(({ source }) => source.text.includes(searched))
    return {
      applications: nearestNames(applications, ({ source }) => source.spec.name, searched, true)
        .slice(0, limit || usualLimit)
        .map(({ summary }) => summary),
      branches: nearest(
        distinct(
          visible.flatMap(({ source }) => source.branch ?? []),
          ({ repoUrl, branch }) => `${repoUrl}\n${branch}`,
        ),
        ({ branch }) => branch,
      ),
      repositories: nearest(new Set(specs.map(({ repoUrl }) => repoUrl)), (repoUrl) => repoUrl),
      applicationSets: nearest(
        distinct(
          specs.map(({ namespace, applicationSet }) => ({ namespace, name: applicationSet })),
          ({ namespace, name }) => `${namespace}/${name}`,
        ),
        ({ name }) => name,
      ),
      projects: nearest(new Set(specs.map(({ project }) => project)), (project) => project),
      tools: nearest(new Set(visible.flatMap(({ summary }) => summary.tools)), (tool) => tool),
      commits: foundCommits(visible, searched).slice(0, limit || usualLimit),
      ...inManifests,
    }
  }
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): Iterable<Item> {
  return new Map(items.map((item) => [keyOf(item), item])).values()
}
