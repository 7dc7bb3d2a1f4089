import { parseConfigs } from '../../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { ChartRender } from '../helm-inputs.ts'
import type { ParameterList } from '../../../plan/parameter-view.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import { chartDefaults, readValues } from './chart-defaults.ts'
import { developerValues, resolveChartValues } from './helm-layers.ts'
import { type ValuePath, parseSetName, setName } from '@wadi/params/values/set-name.ts'
import { parseSetValue, withValue } from './helm-set.ts'
import {
  type ParameterMessage,
  type ParameterOrigin,
  optionOrigin,
} from '../../../parameters/describe/parameter-message.ts'
import { type ValueHints, readValueHints } from './value-hints.ts'
import { type ValueLeaf, maxListed, valueLeaves } from './value-leaves.ts'
import { type ValueNode, emptyMap, fileValues, isNull, mergeValues, plainValues } from './value-node.ts'

/** Most values of one chart that are listed. */
const maxValues = 20_000

/** Most values of `valuesObject` whose places are looked up one by one. */
const maxPlaces = 1000

/** The group of the values in a list of parameters. */
const valuesGroup = 'values'

/** Lists the values of a chart and those that value files, `values`, `valuesObject` and `parameters` set. */
export async function describeValues(
  tree: FileTree,
  inspection: InspectedOptions,
  plan: ChartRender,
  version: string,
): Promise<ParameterList> {
  const { path, optionLayers } = inspection
  const { tree: own } = await resolveChartValues(tree, path, [], version)
  const { values: defaults, root, unread } = await chartDefaults(tree, path, own)
  const { values, unreadable } = await setValues(tree, inspection, plan)
  const { tree: seen } = await resolveChartValues(tree, path, [developerValues(optionLayers, plan)], version)
  const hints = await readValueHints(tree, root, seen)
  const { leaves, branches, isCut } = valueLeaves(defaults, values, hints, maxValues)
  const listed = leaves.slice(0, maxValues)
  const warnings = problemsElsewhere(hints.problems, listed)
  if (leaves.length > maxValues) {
    warnings.push(`the chart has more than ${maxValues} values; the first ${maxValues} are listed`)
  }
  if (isCut)
    warnings.push(`of the values that only the chart's schema has, the first ${maxListed} are listed`)
  if (unread.length > 0) {
    warnings.push(`defaults of subcharts that are packed or elsewhere are not listed: ${unread.join(', ')}`)
  }
  if (plan.fileParameters.length > 0) {
    const names = plan.fileParameters.map(({ name }) => name).join(', ')
    warnings.push(`values set from files by fileParameters are not listed: ${names}`)
  }
  for (const name of unreadable)
    warnings.push(`helm.parameters sets ${JSON.stringify(name)}, which names no single value`)
  const announced = listed.filter(({ isKnown }) => isKnown)
  const others = listed.filter(({ isKnown }) => !isKnown)
  const parameters = [...announced, ...others].map((leaf) => leafMessage(leaf, hints))
  const sections = branches
    .map(({ path: place, node }) => ({ name: setName(place), tooltip: hints.at(place, node).tooltip }))
    .filter(({ tooltip }) => tooltip !== '')
  return { parameters, sections, warnings: [...warnings, ...hints.warnings()] }
}

/** Returns the values set over the chart's own, merged in Helm's order. */
async function setValues(
  tree: FileTree,
  inspection: InspectedOptions,
  plan: ChartRender,
): Promise<{ values: ValueNode; unreadable: string[] }> {
  const options = inspection.options.helm ?? {}
  let values: ValueNode = emptyMap({})
  for (const file of plan.valueFiles) {
    const more = await readValues(tree, file, 'file')
    if (more !== undefined) values = mergeValues(values, more)
  }
  if (options.valuesObject !== undefined) {
    const whole = optionOrigin(inspection, ['helm', 'valuesObject']) ?? {}
    const isSmall = countValues(options.valuesObject) <= maxPlaces
    const originAt = (path: ValuePath): ParameterOrigin =>
      (isSmall ? optionOrigin(inspection, ['helm', 'valuesObject', ...path]) : undefined) ?? whole
    values = mergeValues(values, plainValues(options.valuesObject, originAt))
  } else if (options.values !== undefined) {
    const origin = optionOrigin(inspection, ['helm', 'values']) ?? {}
    const [config] = parseConfigs(options.values, 'helm.values')
    const inline = config && fileValues(config, () => origin)
    if (inline?.kind === 'map') values = mergeValues(values, inline)
  }
  const unreadable: string[] = []
  // Helm takes every --set-string after every --set.
  for (const allText of [false, true]) {
    for (const [index, { name, value = '', forceString = false }] of (options.parameters ?? []).entries()) {
      if (forceString !== allText) continue
      const path = parseSetName(name)
      if (path === undefined) unreadable.push(name)
      else {
        const origin = optionOrigin(inspection, ['helm', 'parameters', index]) ?? {}
        values = withValue(values, path, parseSetValue(value, allText, origin))
      }
    }
  }
  return { values, unreadable }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1)
}

/** The problems of values that are no parameters, such as objects without a key that they must have. */
function problemsElsewhere(problems: ValueHints['problems'], leaves: readonly ValueLeaf[]): string[] {
  const names = new Set(leaves.map(({ path }) => problemName(path)))
  return [...problems].flatMap(([name, texts]) =>
    names.has(name) ? [] : texts.map((text) => `${setName(name.split('\0')) || 'the values'}: ${text}`),
  )
}

function problemName(path: ValuePath): string {
  return path.map(String).join('\0')
}

function leafMessage(
  { path, default: normal, value, isKnown }: ValueLeaf,
  hints: ValueHints,
): ParameterMessage {
  const hasDefault = normal !== undefined && !isNull(normal)
  const { type, ...facts } = hints.at(path, normal)
  const problems = hints.problems.get(problemName(path))
  return {
    name: setName(path),
    group: valuesGroup,
    ...facts,
    type: formType(type, hasDefault ? normal : value),
    collection: 'string',
    announced: isKnown,
    ...(!hasDefault && hints.isRequired(path) && { required: true }),
    ...(problems && { problems }),
    ...(hasDefault && {
      default: { kind: { case: 'text', value: textOf(normal) } },
      defaultOrigin: normal.origin,
    }),
    ...(value !== undefined && {
      value: { kind: { case: 'text', value: textOf(value) } },
      origin: value.origin,
    }),
  }
}

/** Returns the type that the schema says, as far as the present value can be edited as that; else that of the value. */
function formType(ofSchema: string | undefined, node: ValueNode | undefined): string {
  const ofNode = typeOf(node)
  if (ofSchema === undefined || (ofSchema === 'string' && ofNode === 'multiline-string')) return ofNode
  const isSingle = node?.kind === 'scalar' && !isNull(node)
  return (ofSchema === 'yaml') === isSingle ? ofNode : ofSchema
}

/** Returns the type of a value; an empty object or list is text of YAML. */
function typeOf(node: ValueNode | undefined): string {
  if (node === undefined || isNull(node)) return 'string'
  if (node.kind !== 'scalar') return 'yaml'
  return node.type === 'string' && node.text.includes('\n') ? 'multiline-string' : node.type
}

function textOf(node: ValueNode): string {
  if (node.kind === 'scalar') return node.text
  return node.kind === 'map' ? '{}' : '[]'
}
