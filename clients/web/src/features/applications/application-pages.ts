import type { MessageShape } from '@bufbuild/protobuf'
import { createClient, type Transport } from '@connectrpc/connect'
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
  ApplicationGroup,
  ApplicationSummary,
  SearchApplicationsResponseSchema,
  WatchApplicationSummariesResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { type ApplicationListSearch, filterOf } from './application-filter.ts'

type Page = MessageShape<typeof SearchApplicationsResponseSchema>

/** Rows of one page. */
const pageSize = 100
/** The most rows that one call returns. */
export const maxRows = 500
const noGroups: readonly ApplicationGroup[] = []
const { searchApplications } = ApplicationService.method

/** Returns the number of Applications in a list, by phase and group too, and the error of reading them. */
export function useApplicationCounts(search: ApplicationListSearch) {
  const transport = useTransport()
  const { data, error } = useQuery(pageOptions(search, 0, transport))
  return {
    total: data?.total ?? 0,
    phases: data?.phases ?? {},
    groups: data?.groups ?? noGroups,
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
  const { sort, descending = false, group = '' } = search
  const orderBy = sort === 'finished' ? 'finished_at' : (sort ?? 'name')
  const order = { orderBy, descending, groupBy: group }
  return { filter: filterOf(search), ...order, offset: number * pageSize, limit: pageSize }
}

/** Returns what reads the first rows of a list, for those who choose all of them. */
export function useFirstRows(search: ApplicationListSearch): () => Promise<readonly ApplicationSummary[]> {
  const transport = useTransport()
  return async () => {
    const request = { ...pageRequest(search, 0), limit: maxRows }
    const { applications } = await createClient(ApplicationService, transport).searchApplications(request)
    return applications
  }
}

/**
 * Returns what brings a change that the server reported into the pages that were read.
 * @param isGrouped true where a change may move a row to another group
 */
export function usePageUpdates(isGrouped: boolean): (change: WatchApplicationSummariesResponse) => void {
  const cache = useQueryClient()
  return (change) => applyChange(cache, change, isGrouped)
}

/** Rows that only changed are replaced where they are; all else may move rows, so the pages in sight are read again. */
function applyChange(
  cache: QueryClient,
  change: WatchApplicationSummariesResponse,
  isGrouped: boolean,
): void {
  const key = createConnectQueryKey({ schema: searchApplications, cardinality: 'finite' })
  const changed = new Map(change.changed.map((row) => [rowKey(row), row]))
  const known = new Set<string>()
  cache.setQueriesData<Page>({ queryKey: key }, (page) => {
    if (!page) return page
    const applications = page.applications.map((row) => {
      const next = changed.get(rowKey(row))
      if (next) known.add(rowKey(row))
      return next ?? row
    })
    return { ...page, applications, total: change.total, phases: change.phases }
  })
  const isUnknown = [...changed.keys()].some((name) => !known.has(name))
  const isFirst = change.changed.length === 0 && change.removed.length === 0
  if (isGrouped || change.searchAgain || change.removed.length > 0 || isUnknown || isFirst)
    void cache.invalidateQueries({ queryKey: key })
}

/** Returns the name of an Application among all. */
export function rowKey({ namespace, name }: Pick<ApplicationSummary, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}
