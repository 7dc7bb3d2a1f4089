import type { MessageShape } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { createConnectQueryKey, createQueryOptions, useTransport } from '@connectrpc/connect-query'
import {
  type QueryClient,
  keepPreviousData,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type {
  ApplicationSummary,
  SearchApplicationsResponseSchema,
  WatchApplicationSummariesResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { type ApplicationListSearch, filterOf } from './application-filter.ts'

type Page = MessageShape<typeof SearchApplicationsResponseSchema>

/** Rows of one page. */
const pageSize = 100
const { searchApplications } = ApplicationService.method

/** Returns the number of Applications in a list, by phase too, and the error of reading them. */
export function useApplicationCounts(search: ApplicationListSearch) {
  const transport = useTransport()
  const { data, error } = useQuery(pageOptions(search, 0, transport))
  return {
    total: data?.total ?? 0,
    phases: data?.phases ?? {},
    isPending: data === undefined,
    error: error ?? undefined,
  }
}

/**
 * Reads the pages that hold the rows `first` to `last`, and the first page, which has the number of rows; the row of a page that is
 * not there yet is undefined.
 */
export function useApplicationRows(search: ApplicationListSearch, first: number, last: number) {
  const transport = useTransport()
  const numbers = new Set([0])
  for (let number = Math.floor(first / pageSize); number <= last / pageSize; number++) numbers.add(number)
  const order = [...numbers]
  const queries = useQueries({ queries: order.map((number) => pageOptions(search, number, transport)) })
  const failed = queries.find(({ isError }) => isError)
  return {
    failed,
    rowAt: (index: number): ApplicationSummary | undefined => {
      const query = queries[order.indexOf(Math.floor(index / pageSize))]
      return query?.data?.applications[index % pageSize]
    },
  }
}

function pageOptions(search: ApplicationListSearch, number: number, transport: Transport) {
  return {
    ...createQueryOptions(searchApplications, pageRequest(search, number), { transport }),
    // While another filter is on its way, the rows of the last one stay.
    ...(number === 0 && { placeholderData: keepPreviousData<Page> }),
  }
}

function pageRequest(search: ApplicationListSearch, number: number) {
  const { sort, descending = false } = search
  const orderBy = sort === 'finished' ? 'finished_at' : (sort ?? 'name')
  return { filter: filterOf(search), orderBy, descending, offset: number * pageSize, limit: pageSize }
}

/** Returns what brings a change that the server reported into the pages that were read. */
export function usePageUpdates(): (change: WatchApplicationSummariesResponse) => void {
  const cache = useQueryClient()
  return (change) => applyChange(cache, change)
}

/** Rows that only changed are replaced where they are; all else may move rows, so the pages in sight are read again. */
function applyChange(cache: QueryClient, change: WatchApplicationSummariesResponse): void {
  const key = createConnectQueryKey({ schema: searchApplications, cardinality: 'finite' })
  const changed = new Map(change.changed.map((row) => [nameOf(row), row]))
  const known = new Set<string>()
  cache.setQueriesData<Page>({ queryKey: key }, (page) => {
    if (!page) return page
    const applications = page.applications.map((row) => {
      const next = changed.get(nameOf(row))
      if (next) known.add(nameOf(row))
      return next ?? row
    })
    return { ...page, applications, total: change.total, phases: change.phases }
  })
  const isUnknown = [...changed.keys()].some((name) => !known.has(name))
  const isFirst = change.changed.length === 0 && change.removed.length === 0
  if (change.searchAgain || change.removed.length > 0 || isUnknown || isFirst)
    void cache.invalidateQueries({ queryKey: key })
}

function nameOf({ namespace, name }: ApplicationSummary): string {
  return `${namespace}/${name}`
}
