import { type ExplainedParameter, explainTrees } from '@wadi/params/explain/explain.ts'
import type { FileTree } from '../tree/file-tree.ts'
import type { SourceInspection } from '../source-inspection.ts'

/**
 * Explains every value that decides an inspected source: its winner and everything that it overrides, each with its place. Nothing
 * is rendered.
 * @throws InvalidInputError for values that cannot be read, and what a plugin throws that is asked for its parameters
 */
export async function explainSource(
  tree: FileTree,
  inspection: SourceInspection,
  signal?: AbortSignal,
): Promise<ExplainedParameter[]> {
  return [...explainTrees(await inspection.plan.parameters.explain({ tree, inspection, signal }))]
}
