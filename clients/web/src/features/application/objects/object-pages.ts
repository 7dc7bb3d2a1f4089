import type { Transport } from '@connectrpc/connect'
import { createQueryOptions, useQuery as useCall, useTransport } from '@connectrpc/connect-query'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ListedObject, ListObjectsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import type { ApplicationName } from '../application-name.ts'
import { noNamespace, type ObjectSearch } from './object-search.ts'

const pageSize = 100
const { listObjects } = ApplicationService.method

/** A list of the objects of one hydrated commit, with the fields of the message `ListObjectsRequest`. */
export interface ObjectListRequest extends ApplicationName {
  hydratedSha: string
  text: string
  kinds: string[]
  namespaces: string[]
}

/** Reads which hydrated commit is the newest, and what its objects can be selected by. */
export function useNewestObjects(name: ApplicationName) {
  return useCall(listObjects, { ...name, limit: 1 }, { retry: false })
}

/** Returns the list that an address asks for. */
export function objectListRequest(
  name: ApplicationName,
  hydratedSha: string,
  { text = '', kind = [], within = [] }: ObjectSearch,
): ObjectListRequest {
  const namespaces = within.map((namespace) => (namespace === noNamespace ? '' : namespace))
  return { ...name, hydratedSha, text, kinds: kind, namespaces }
}

/** Reads the number of objects of a list, and how many each kind has. */
export function useObjectCounts(request: ObjectListRequest) {
  const transport = useTransport()
  return useQuery(pageOptions(request, 0, transport))
}

/** Reads the pages that hold the rows `first` to `last`; the row of a page that is not there yet is undefined. */
export function useObjectRows(request: ObjectListRequest, first: number, last: number) {
  const transport = useTransport()
  const numbers: number[] = []
  for (let number = Math.floor(first / pageSize); number <= last / pageSize; number++) numbers.push(number)
  const queries = useQueries({ queries: numbers.map((number) => pageOptions(request, number, transport)) })
  return {
    failed: queries.find(({ isError }) => isError),
    rowAt: (index: number): ListedObject | undefined =>
      queries[numbers.indexOf(Math.floor(index / pageSize))]?.data?.objects[index % pageSize],
  }
}

function pageOptions(request: ObjectListRequest, number: number, transport: Transport) {
  return {
    ...createQueryOptions(listObjects, pageOf(request, number), { transport }),
    // A commit does not change.
    staleTime: Infinity,
    // While another filter is on its way, the rows of the last one stay.
    ...(number === 0 && { placeholderData: keepPreviousData<ListObjectsResponse> }),
  }
}

function pageOf(request: ObjectListRequest, number: number) {
  return { ...request, offset: number * pageSize, limit: pageSize }
}
