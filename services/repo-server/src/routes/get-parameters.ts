import type { HandlerContext } from '@connectrpc/connect'
import type { GetParametersRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GetParametersResponse } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import { type RepoServerContext, withInspection } from '../context.ts'

/** Lists the parameters of a source: what its tool takes, the defaults, what is set and where. */
export function getParameters(context: Pick<RepoServerContext, 'files' | 'renderer'>) {
  return async (request: GetParametersRequest, { signal }: HandlerContext) =>
    withInspection(context, request, signal, async (tree, source, inspection) => {
      // Loaded for who asks: most calls render.
      const { describeParameters } =
        await import('@wadi/rendering/parameters/describe/describe-parameters.ts')
      const described = await describeParameters(tree, inspection, source, signal)
      const explained = request.explain ? await explainedValues(tree, inspection, signal) : {}
      const warnings = [...inspection.warnings, ...described.warnings]
      return { ...described, ...explained, drySha: request.sha, warnings }
    })
}

/** The values that decide a source, within the bounds of a record. */
async function explainedValues(
  tree: FileTree,
  inspection: SourceInspection,
  signal: AbortSignal,
): Promise<Pick<GetParametersResponse, 'explained' | 'explainedLeftOut'>> {
  const { explainSource } = await import('@wadi/rendering/parameters/explain/explain-source.ts')
  const { explainedMessage } = await import('@wadi/params/explain/explained-message.ts')
  const { boundParameters } = await import('@wadi/params/explain/bound-parameters.ts')
  const all = (await explainSource(tree, inspection, signal)).map(explainedMessage)
  const { parameters, leftOut } = boundParameters(all)
  return { explained: [...parameters], explainedLeftOut: leftOut }
}
