import { parseConfigs } from '../../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { ChartRender } from '../helm-inputs.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import { chartDefaults, readValues } from './chart-defaults.ts'
import { resolveChartValues } from './helm-layers.ts'
import { type ValuePath, parseSetName, setName } from '@wadi/params/values/set-name.ts'
import { parseSetValue, withValue } from './helm-set.ts'
import {
  type ParameterMessage,
  type ParameterOrigin,
  optionOrigin,
} from '../../../parameters/describe/parameter-message.ts'
import { type ValueNode, emptyMap, fileValues, mergeValues, plainValues } from './value-node.ts'

/** Most values of one chart that are listed. */
const maxValues = 20_000

/** Most values of `valuesObject` whose places are looked up one by one. */
const maxPlaces = 1000

/** The group of the values in a list of parameters. */
const valuesGroup = 'values'

/** A value that is listed: one without others below it. */
interface Leaf {
  readonly path: ValuePath
  readonly default: ValueNode | undefined
  readonly value: ValueNode | undefined
  /** True if the chart has the value, or an open object around it. */
  readonly isKnown: boolean
}

/** Lists the values of a chart and those that value files, `values`, `valuesObject` and `parameters` set. */
export async function describeValues(
  tree: FileTree,
  inspection: InspectedOptions,
  plan: ChartRender,
  version: string,
): Promise<{ parameters: ParameterMessage[]; warnings: string[] }> {
  const { tree: seen } = await resolveChartValues(tree, inspection.path, [], version)
  const { values: defaults, unread } = await chartDefaults(tree, inspection.path, seen)
  const { values, unreadable } = await setValues(tree, inspection, plan)
  const leaves = leavesOf(defaults, values)
  const listed = leaves.slice(0, maxValues)
  const warnings: string[] = []
  if (leaves.length > maxValues) {
    warnings.push(`the chart has more than ${maxValues} values; the first ${maxValues} are listed`)
  }
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
  return { parameters: [...announced, ...others].map(leafMessage), warnings }
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

/**
 * Values without others below them: the chart's in its order, those that are only set after their neighbours. At most
 * one more than may be listed.
 */
function leavesOf(defaults: ValueNode, values: ValueNode): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (path: ValuePath, pair: Pick<Leaf, 'default' | 'value'>, isOpen: boolean): void => {
    const { default: normal, value } = pair
    // What is set in the place of a list is one value, objects in it included.
    const isMerged =
      normal?.kind === 'map' && value?.kind === 'map' && !path.some((step) => typeof step === 'number')
    const keys = new Set([
      ...(isMerged || value === undefined ? childrenOf(normal).keys() : []),
      ...childrenOf(value).keys(),
    ])
    const isRoot = path.length === 0
    if (keys.size === 0 && !isRoot) {
      const shown = normal !== undefined && isLeaf(normal) ? normal : undefined
      leaves.push({ path, default: shown, value, isKnown: isOpen || normal !== undefined })
    }
    // The chart says nothing of what may stand in a list, a null or a map that it leaves empty.
    const isOpenBelow = isOpen || (normal !== undefined && !isRoot && isOpenNode(normal))
    for (const key of keys) {
      if (leaves.length > maxValues) return
      const below = { default: childrenOf(normal).get(key), value: childrenOf(value).get(key) }
      visit([...path, key], below, isOpenBelow)
    }
  }
  visit([], { default: defaults, value: values }, false)
  return leaves
}

function childrenOf(node: ValueNode | undefined): ReadonlyMap<string | number, ValueNode> {
  return node === undefined || node.kind === 'scalar' ? new Map() : node.children
}

function isLeaf(node: ValueNode): boolean {
  return node.kind === 'scalar' || node.children.size === 0
}

function isOpenNode(node: ValueNode): boolean {
  if (node.kind === 'scalar') return node.type === 'null'
  return node.kind === 'list' || node.children.size === 0
}

function leafMessage({ path, default: normal, value, isKnown }: Leaf): ParameterMessage {
  const hasDefault = normal !== undefined && !(normal.kind === 'scalar' && normal.type === 'null')
  return {
    name: setName(path),
    group: valuesGroup,
    type: typeOf(hasDefault ? normal : value),
    collection: 'string',
    announced: isKnown,
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

/** Returns the type of a value; an empty map or list needs none. */
function typeOf(node: ValueNode | undefined): string {
  if (node?.kind !== 'scalar' || node.type === 'null') return 'string'
  return node.type === 'string' && node.text.includes('\n') ? 'multiline-string' : node.type
}

function textOf(node: ValueNode): string {
  if (node.kind === 'scalar') return node.text
  return node.kind === 'map' ? '{}' : '[]'
}
