import {
  type ParameterChanges,
  assignOptions,
  splitChanges,
} from '../../../parameters/edit/assign-options.ts'
import { type ParameterEdit, optionEdit } from '../../../parameters/edit/option-edit.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { ChartRender } from '../helm-inputs.ts'
import { helmOptions } from './helm-options.ts'
import { readKnownValues } from './known-values.ts'

/** The edit that sets options of a Helm source and values of its chart. */
export async function editHelm(
  tree: FileTree,
  inspection: InspectedOptions,
  chart: ChartRender,
  version: string,
  wanted: ParameterChanges,
): Promise<ParameterEdit> {
  const { options } = inspection
  const { ofOptions, others } = splitChanges(helmOptions, wanted)
  const ofHelm = assignOptions(helmOptions, options, ofOptions)
  if (others.assignments.length + others.removals.length === 0) return optionEdit(options, [ofHelm])
  // The code that edits YAML is loaded when somebody edits values.
  const { assignChartValues } = await import('./assign-chart-values.ts')
  const { unknownValues } = await import('./unknown-value.ts')
  const known = await readKnownValues(tree, inspection, chart, version)
  const values = assignChartValues(options.helm ?? {}, known, others)
  const names = others.assignments.map(({ target }) => target)
  const { problems, warnings } = await unknownValues(tree, inspection.path, known, names)
  const edit = optionEdit(options, [ofHelm, values])
  return { ...edit, problems: [...values.problems, ...problems], warnings }
}
