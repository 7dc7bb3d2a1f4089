import { createQueryOptions, useQuery, useTransport } from '@connectrpc/connect-query'
import { useQueries } from '@tanstack/react-query'
import { textAt } from '@wadi/fields/json-fields.ts'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { rightsFreshMs } from './rights.ts'

const maxProjects = 20

/**
 * The projects in sight in which the policy lets the caller do something to every object of a resource; empty until it is
 * known. Of many projects, the first 20 are asked about.
 */
export function useProjectsWith(resource: string, action: string): string[] {
  const transport = useTransport()
  const { data } = useQuery(ProjectService.method.listProjects, {})
  const names =
    data?.projects.slice(0, maxProjects).map((project) => textAt(project, 'metadata', 'name')) ?? []
  const answers = useQueries({
    queries: names.map((name) => ({
      ...createQueryOptions(
        AccountService.method.canI,
        { resource, action, subresource: `${name}/*` },
        { transport },
      ),
      staleTime: rightsFreshMs,
    })),
  })
  return names.filter((_name, index) => answers[index]?.data?.value === 'yes')
}
