import { boundParameters } from '@wadi/params/explain/bound-parameters.ts'
import type { GetParametersResponse } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { explainSource } from './explain-source.ts'
import { explainedMessage } from './explained-message.ts'

/** The values that decide a source as an answer has them, within the bounds of a record. */
export async function explainedValues(
  tree: FileTree,
  inspection: SourceInspection,
  signal: AbortSignal,
): Promise<Pick<GetParametersResponse, 'explained' | 'explainedLeftOut'>> {
  const all = (await explainSource(tree, inspection, signal)).map(explainedMessage)
  const { parameters, leftOut } = boundParameters(all)
  return { explained: [...parameters], explainedLeftOut: leftOut }
}
