import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { boundParameters } from '@wadi/params/explain/bound-parameters.ts'
import { type ExplainedParameter, type ParameterTree, explainTrees } from '@wadi/params/explain/explain.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '../tree/file-tree.ts'
import type { SourceInspection } from '../source-inspection.ts'
import { explainedMessage } from './explained-message.ts'
import { placedParameters, resolvePluginParameters } from './plugin-tree.ts'
import { plainTrees } from './plain-trees.ts'

type DecidedParameters = Pick<RenderRecord, 'parameters' | 'parametersLeftOut' | 'warnings'>

/**
 * The values that decided a render, for its record: all those of packages and workloads, and of the trees of tools those
 * that somebody set. A default that stands is the tool's own affair, be it over another default: thousands of them would be
 * written with every commit. A plugin is not asked again what it announces, so of its parameters no default is beaten.
 * Values that the tool could read and an explanation cannot are a warning.
 */
export async function decidedParameters(
  tree: FileTree,
  inspection: SourceInspection,
): Promise<DecidedParameters> {
  const { plan } = inspection
  if ('composite' in plan) return recordOf(plan.composite.parameters)
  try {
    return recordOf((await setTrees(tree, inspection)).map((each) => ({ ...each, isOfTool: true })))
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ResourceExhaustedError)) throw error
    return {
      parameters: [],
      parametersLeftOut: 0,
      warnings: [`what decided the values is not recorded: ${error.message}`],
    }
  }
}

/** The trees in which something can be set, so that defaults are read only where they may be beaten. */
async function setTrees(tree: FileTree, inspection: SourceInspection): Promise<ParameterTree[]> {
  const { plan, options, optionLayers } = inspection
  if (plan.renderer === 'plugin') {
    const { plugin, parameters } = plan.plugin
    if (parameters.length === 0) return []
    return [resolvePluginParameters(plugin.name, [], placedParameters(optionLayers, parameters), []).tree]
  }
  if (plan.renderer === 'helm' || plan.renderer === 'kustomize') {
    return Object.keys(options[plan.renderer] ?? {}).length > 0 ? await plainTrees(tree, inspection) : []
  }
  return await plainTrees(tree, inspection)
}

function recordOf(trees: readonly ParameterTree[]): DecidedParameters {
  const decided: ExplainedParameter[] = []
  for (const tree of trees) {
    for (const parameter of explainTrees([tree])) {
      if (tree.isOfTool !== true || parameter.from.owner !== 'tool') decided.push(parameter)
    }
  }
  const { parameters, leftOut } = boundParameters(decided)
  return { parameters: parameters.map(explainedMessage), parametersLeftOut: leftOut, warnings: [] }
}
