import type { Location } from '@wadi/errors/location.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locatedMap, partAt } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { finderOf } from '@wadi/plugins/announcements/same-parameter.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { parameterValue, setValues, treeValue } from '@wadi/plugins/parameters/tree-value.ts'
import { valueFields } from '@wadi/plugins/parameters/with-defaults.ts'
import type { OptionLayer } from '../../../source/option-origin.ts'
import {
  developerLayer,
  mergedTrees,
  operatorLayer,
  optionTrees,
} from '../../../parameters/explain/option-trees.ts'

/** A parameter with the place where it is set. */
export interface PlacedParameter {
  readonly parameter: Parameter
  readonly place: Pick<Located, 'at' | 'derivedFrom'>
}

/** The parameters that a plugin is given, and what decided each. */
interface PluginResolution {
  readonly tree: ParameterTree
  /** Without announced defaults; of several of one name the last one of the strongest owner. */
  readonly parameters: Parameter[]
}

/** The place of the tree itself; each parameter has one of its own. */
const nowhere: Location = { file: '' }

/** Resolves the parameters of a plugin by name: what operators set, what developers set, what the plugin announces. */
export function resolvePluginParameters(
  plugin: string,
  announcements: readonly Announcement[],
  developer: readonly PlacedParameter[],
  operator: readonly PlacedParameter[],
): PluginResolution {
  const keyOf = parameterKeys()
  const set = new Map<string, Parameter>()
  const defaults = new Map<string, Located>()
  for (const announcement of announcements) {
    const value = announcement.default && treeValue(announcement.default)
    if (value !== undefined) defaults.set(keyOf(announcement), { value, at: { file: `plugin ${plugin}` } })
  }
  const treeOf = (placed: readonly PlacedParameter[]): Located => {
    const parts = new Map<string, Located>()
    for (const { parameter, place } of placed) {
      const key = keyOf(parameter)
      set.set(key, parameter)
      const [first, ...others] = setValues(parameter)
      if (first === undefined) continue
      parts.set(key, { ...place, value: others.length === 0 ? first : [first, ...others] })
    }
    return locatedMap(parts, nowhere)
  }
  const layers: Layer[] = [
    {
      rank: 0,
      owner: 'tool',
      kind: 'default',
      tree: locatedMap(defaults, nowhere),
      label: 'announced default',
    },
    developerLayer(treeOf(developer), 'plugin.parameters'),
    operatorLayer(treeOf(operator), 'Render plugin.parameters'),
  ]
  const resolution = resolve(layers, 'replace')
  const { tree } = resolution
  const parameters = Array.from(set, ([key, parameter]) => {
    // Several kinds of value at once, or none, are passed on as they are.
    const value =
      setValues(parameter).length === 1 && isValueMap(tree) ? parameterValue(tree.get(key)) : undefined
    return value === undefined ? parameter : { ...parameter, ...valueFields(value) }
  })
  return { tree: { name: `parameters of plugin ${JSON.stringify(plugin)}`, resolution }, parameters }
}

/** Parameters of the options of a source with their places. */
export function placedParameters(
  layers: readonly OptionLayer[],
  parameters: readonly Parameter[],
): PlacedParameter[] {
  const tree = mergedTrees(optionTrees(layers, 'plugin'))
  return parameters.map((parameter, index) => {
    const { at } = partAt(tree, ['parameters', String(index)]) ?? tree
    return { parameter, place: { at } }
  })
}

/** Names for parameters: their own, and for others of that name in other groups the group as well. */
function parameterKeys(): (parameter: { readonly name: string; readonly group: string }) => string {
  const { find, add } = finderOf<{ name: string; group: string; key: string }>([])
  const taken = new Set<string>()
  return ({ name, group }) => {
    const known = find({ name, group })
    if (known !== undefined) return known.key
    const key = taken.has(name) ? `${group}.${name}` : name
    taken.add(key)
    add({ name, group, key })
    return key
  }
}
