import type { HandlerContext } from '@connectrpc/connect'
import type { GetParametersRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type RepoServerContext, withInspection } from '../context.ts'

/** Lists the parameters of a source: what its tool takes, the defaults, what is set and where. */
export function getParameters(context: Pick<RepoServerContext, 'files' | 'renderer'>) {
  return async (request: GetParametersRequest, { signal }: HandlerContext) =>
    withInspection(context, request, signal, async (tree, source, inspection) => {
      // Loaded for who asks: most calls render.
      const { describeParameters } =
        await import('@wadi/rendering/parameters/describe/describe-parameters.ts')
      const { explainedValues } = await import('@wadi/rendering/parameters/explain/explained-values.ts')
      const described = await describeParameters(tree, inspection, source, signal)
      const explained = request.explain ? await explainedValues(tree, inspection, signal) : {}
      const warnings = [...inspection.warnings, ...described.warnings]
      return { ...described, ...explained, drySha: request.sha, warnings }
    })
}
