import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { boundParameters } from '@wadi/params/explain/bound-parameters.ts'
import { type ParameterTree, explainTrees } from '@wadi/params/explain/explain.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import { explainedMessage } from '@wadi/params/explain/explained-message.ts'

type DecidedParameters = Pick<RenderRecord, 'parameters' | 'parametersLeftOut' | 'warnings'>

/**
 * The values that decided a render, for its record: all those of packages and workloads, and of the trees of tools those
 * that somebody set. A default that stands is the tool's own affair, be it over another default: thousands of them would be
 * written with every commit. A plugin is not asked again what it announces, so of its parameters no default is overridden.
 * Values that the tool could read and an explanation cannot are a warning, and so are parameters that may be mistakes.
 */
export async function decidedParameters(
  tree: FileTree,
  inspection: SourceInspection,
): Promise<DecidedParameters> {
  try {
    const { composite, parameters } = inspection.plan
    const question = { tree, inspection, signal: undefined }
    const trees = await parameters.decided(question)
    // Those of a composite are marked part by part.
    const marked = composite === undefined ? trees.map((each) => ({ ...each, isOfTool: true })) : trees
    return { ...recordOf(marked), warnings: [...((await parameters.doubts?.(question)) ?? [])] }
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ResourceExhaustedError)) throw error
    return {
      parameters: [],
      parametersLeftOut: 0,
      warnings: [`what decided the values is not recorded: ${error.message}`],
    }
  }
}

function recordOf(trees: readonly ParameterTree[]): Omit<DecidedParameters, 'warnings'> {
  const { parameters, leftOut } = boundParameters([...explainTrees(trees, { withoutDefaults: true })])
  return { parameters: parameters.map(explainedMessage), parametersLeftOut: leftOut }
}
