import type { FileTree } from '../tree/file-tree.ts'
import type { SourceInspection } from '../source-inspection.ts'
import type { RenderSource } from '../source.ts'
import { describeHelm } from './describe-helm.ts'
import { describeKustomize } from './describe-kustomize.ts'
import { describeOptions } from './describe-options.ts'
import { describePlugin } from './describe-plugin.ts'
import type { ParameterMessage } from './parameter-message.ts'
import { withoutParameters } from './without-parameters.ts'

/** The parameters of a source, whatever renders it. */
interface DescribedParameters {
  readonly renderer: string
  /** `''` when no plugin renders the source. */
  readonly plugin: string
  readonly parameters: ParameterMessage[]
  /** Remarks that belong to no single parameter. */
  readonly notices: string[]
}

/**
 * Lists what may be set for a source: its defaults, what is set and where. Names are those that `editParameters` takes.
 * @param tree that of the inspection
 * @throws InvalidInputError for a values file or kustomization that cannot be read, and what plugins throw
 */
export async function describeParameters(
  tree: FileTree,
  inspection: SourceInspection,
  source: RenderSource,
  signal: AbortSignal,
): Promise<DescribedParameters> {
  const { plan } = inspection
  const { renderer } = plan
  if (plan.renderer === 'plugin') {
    const described = await describePlugin(tree, inspection, plan.plugin, signal)
    return { renderer, plugin: plan.plugin.plugin.name, ...described }
  }
  if (plan.renderer === 'helm') {
    return { renderer, plugin: '', ...(await describeHelm(tree, inspection, source, plan.helm)) }
  }
  if ('composite' in plan) {
    const notices = [withoutParameters(plan.renderer, inspection.path)]
    return { renderer, plugin: '', parameters: [], notices }
  }
  const parameters =
    plan.renderer === 'kustomize'
      ? await describeKustomize(tree, inspection, plan.kustomize)
      : describeOptions(inspection, new Map())
  return { renderer, plugin: '', parameters, notices: [] }
}
