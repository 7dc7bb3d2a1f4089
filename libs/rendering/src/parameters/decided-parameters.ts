import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type ExplainedParameter, type ParameterTree, explainTrees } from '@wadi/params/explain.ts'
import type { FileTree } from '../file-tree.ts'
import type { SourceInspection } from '../inspect-source.ts'
import type { RenderedSource } from '../render-run.ts'
import { placedParameters, resolvePluginParameters } from './plugin-tree.ts'
import { plainTrees } from './plain-trees.ts'

/** Most rows of the trees of tools that a record has. */
const mostRows = 5000

/**
 * The values that decided a render, for its record: all those of packages and workloads, and of the trees of tools those
 * that somebody set. A default that stands is the tool's own affair, be it over another default: thousands of them would be
 * written with every commit. A plugin is not asked again what it announces, so of its parameters no default is beaten.
 * Values that the tool could read and an explanation cannot are a notice.
 */
export async function decidedParameters(
  tree: FileTree,
  inspection: SourceInspection,
): Promise<Pick<RenderedSource, 'parameters' | 'notices'>> {
  const { plan } = inspection
  if ('composite' in plan) return recordOf(plan.composite.parameters)
  try {
    return recordOf((await setTrees(tree, inspection)).map((each) => ({ ...each, isOfTool: true })))
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ResourceExhaustedError)) throw error
    return { parameters: [], notices: [`what decided the values is not recorded: ${error.message}`] }
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
  if (plan.renderer === 'helm') {
    return Object.keys(options.helm ?? {}).length > 0 ? await plainTrees(tree, inspection) : []
  }
  return await plainTrees(tree, inspection)
}

function recordOf(trees: readonly ParameterTree[]): Pick<RenderedSource, 'parameters' | 'notices'> {
  const parameters: ExplainedParameter[] = []
  let rows = 0
  for (const tree of trees) {
    for (const parameter of explainTrees([tree])) {
      if (tree.isOfTool === true) {
        if (parameter.from.owner === 'tool') continue
        rows += 1
        if (rows > mostRows) continue
      }
      parameters.push(parameter)
    }
  }
  const notices =
    rows > mostRows ? [`${rows} values are set; what decided the first ${mostRows} of them is recorded`] : []
  return { parameters, notices }
}
