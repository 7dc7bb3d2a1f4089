import { type ExplainedParameter, explainTrees } from '@wadi/params/explain/explain.ts'
import type { FileTree } from './tree/file-tree.ts'
import type { SourceInspection } from './source-inspection.ts'
import { plainTrees } from './parameters/plain-trees.ts'

/**
 * Explains every value that decides an inspected source: its winner and everything that it beat, each with its place. Nothing
 * is rendered.
 * @throws InvalidInputError for values that cannot be read, and what a plugin throws that is asked for its parameters
 */
export async function explainSource(
  tree: FileTree,
  inspection: SourceInspection,
  signal?: AbortSignal,
): Promise<ExplainedParameter[]> {
  const { plan } = inspection
  const trees = 'composite' in plan ? plan.composite.parameters : await plainTrees(tree, inspection, signal)
  return [...explainTrees(trees)]
}
