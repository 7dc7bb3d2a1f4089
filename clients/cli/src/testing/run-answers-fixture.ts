import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { RunSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'

/** The RPCs about the runs of an Application's branch. */
export function runAnswers(
  runsNow: () => MessageInitShape<typeof RunSchema>[],
): Pick<ServiceImpl<typeof ApplicationService>, 'listRuns' | 'getRun'> {
  const place = { repoUrl: 'https://git.example.com/deploy.git', branch: 'environments/dev' }
  return {
    listRuns: () => ({ ...place, runs: runsNow() }),
    getRun: ({ id }) => {
      const run = runsNow().find((one) => id === '' || one.id === id)
      if (!run) throw new ConnectError(`run ${id} is not known any more`, Code.NotFound)
      return { ...place, run, directory: 'web' }
    },
  }
}
