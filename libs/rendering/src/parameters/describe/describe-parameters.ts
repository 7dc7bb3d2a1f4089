import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import type { RenderSource } from '../../source/source.ts'
import type { ParameterMessage, ParameterSectionMessage } from './parameter-message.ts'

/** The parameters of a source, whatever renders it. */
interface DescribedParameters {
  readonly renderer: string
  /** `''` when no plugin renders the source. */
  readonly plugin: string
  readonly parameters: ParameterMessage[]
  readonly sections?: ParameterSectionMessage[]
  /** Warnings that belong to no single parameter. */
  readonly warnings: string[]
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
  const { renderer, plan } = inspection
  const described = await plan.parameters.describe({ tree, inspection, source, signal })
  return { renderer, plugin: '', ...described }
}
