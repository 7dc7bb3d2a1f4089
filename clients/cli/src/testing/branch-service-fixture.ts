import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type {
  BranchService,
  GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'

/** Lists and returns hydrated branches, which may be added to. */
export function branchService(hydrated: readonly GetBranchResponse[]): ServiceImpl<typeof BranchService> {
  return {
    listBranches: ({ text, phases }) => ({
      branches: hydrated
        .flatMap(({ branch }) => branch ?? [])
        .filter(
          ({ branch, phase }) => branch.includes(text) && (phases.length === 0 || phases.includes(phase)),
        ),
      queueError: hydrated.find(({ queueError }) => queueError !== '')?.queueError ?? '',
    }),
    getBranch: ({ repoUrl, branch: name }) => {
      const found = hydrated.find(({ branch }) => branch?.branch === name && branch.repoUrl === repoUrl)
      if (found) return found
      throw new ConnectError(`branch "${name}" of ${repoUrl} not found`, Code.NotFound)
    },
  }
}
