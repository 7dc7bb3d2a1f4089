import { type ExplainedParameter, explainTrees } from '@wadi/params/explain/explain.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { toolNames } from '@wadi/hydration/tool-versions.ts'
import type { ToolPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'

/**
 * Explains every value that decides an inspected source: its winner and everything that it overrides, each with its place, and the versions
 * of tools that git asks for. Nothing is rendered.
 * @throws InvalidInputError for values that cannot be read, and what a plugin throws that is asked for its parameters
 */
export async function explainSource(
  tree: FileTree,
  inspection: SourceInspection,
  signal?: AbortSignal,
): Promise<ExplainedParameter[]> {
  const trees = await inspection.plan.parameters.explain({ tree, inspection, signal })
  const parts = inspection.plan.composite?.parts ?? []
  return [
    ...explainTrees(trees),
    ...explainedPins(inspection.pins, 'versions of tools'),
    ...parts.flatMap((part) =>
      'pins' in part ? explainedPins(part.pins, `versions of tools of ${part.label}`) : [],
    ),
  ]
}

function explainedPins(pins: ToolPins, of: string): ExplainedParameter[] {
  return toolNames.flatMap((name) => {
    const pin = pins[name]
    if (pin === undefined) return []
    const { version: value, path: label, at, owner } = pin
    const line = at?.line
    const from = {
      owner,
      kind: 'value',
      label,
      file: at?.file ?? 'Application',
      ...(line !== undefined && { line }),
      value,
    } as const
    return [{ of, path: `.${name}`, value, from, beats: [] }]
  })
}
