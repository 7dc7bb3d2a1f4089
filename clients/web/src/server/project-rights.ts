import { useQuery } from '@connectrpc/connect-query'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { rightsFreshMs } from './rights.ts'

/** The projects in which the policy lets the caller do something to every object of a resource; empty until it is known. */
export function useProjectsWith(resource: string, action: string): readonly string[] {
  const { data } = useQuery(
    ProjectService.method.listPermittedProjects,
    { resource, action },
    { staleTime: rightsFreshMs },
  )
  return data?.names ?? []
}
