import { fileText } from '@wadi/manifests/file-text.ts'
import { LRUCache } from 'lru-cache'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locatedBelow } from '@wadi/params/resolve/assign.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { mergeLocated } from '@wadi/params/resolve/merge-located.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { shownPath } from '@wadi/file-trees/repository-path.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { ChartRender } from '../helm-inputs.ts'
import type { OptionLayer } from '../../../source/option-origin.ts'
import { type ChartWithValues, readChartTree } from './chart-defaults.ts'
import type { ChartOfValues } from './coalesce-rules.ts'
import { coalesceValues } from './coalesce-values.ts'
import { type ValuePath, parseSetName } from '@wadi/params/values/set-name.ts'
import { inlineValuesTree } from './inline-values-tree.ts'
import { setLocatedValue, setValue } from './located-set.ts'
import {
  developerLayer,
  mergedTrees,
  operatorLayer,
  optionTrees,
} from '../../../parameters/explain/option-trees.ts'

/** Largest values file that is explained, in bytes. */
const maxValuesFileBytes = 4 * 1024 * 1024

/** Last position of a list that a name may set for the value to be explained. */
const maxPosition = 1000

/** The values that one owner gives a chart. */
export interface GivenValues {
  readonly owner: 'developer' | 'operator'
  /** The `helm` options as trees that merge deep, the weakest first. */
  readonly options: readonly Located[]
  /** The text of the file in which options stand, to find lines inside of a text in it. */
  readonly textOf: (file: string) => string | undefined
  readonly plan: Pick<ChartRender, 'valueFiles' | 'parameters' | 'fileParameters'>
  /** Returns true if the value of a name is not passed to Helm, because an owner with precedence decides it; by default false. */
  readonly isLeftOut?: (name: string) => boolean
}

/** Returns the values that developers give a chart by its options. */
export function developerValues(layers: readonly OptionLayer[], plan: GivenValues['plan']): GivenValues {
  const textOf = (file: string): string | undefined =>
    layers.find((layer) => layer.tree().at.file === file)?.text
  return { owner: 'developer', options: optionTrees(layers, 'helm'), textOf, plan }
}

/**
 * Resolves the values of the chart at a path: its defaults, and what is given over them in Helm's order of precedence.
 * @param version that of the Helm which renders, as it decides what nulls do
 * @throws InvalidInputError naming file and line for values that cannot be read
 */
export async function resolveChartValues(
  tree: FileTree,
  chart: string,
  given: readonly GivenValues[],
  version: string,
): Promise<Resolution> {
  const layers: Layer[] = []
  const read = async (one: ChartWithValues, below: readonly string[]): Promise<ChartOfValues> => {
    const subcharts: ChartOfValues[] = []
    for (const subchart of one.subcharts) subcharts.push(await read(subchart, [...below, subchart.name]))
    const own = await readValuesFile(tree, one.file, parseDefaults)
    if (own !== undefined) layers.push(defaultsLayer(locatedBelow(below, own)))
    return { ...one, values: isValueMap(own?.value) ? own.value : new Map(), subcharts }
  }
  const root = await read((await readChartTree(tree, chart)).root, [])
  return coalesceValues(root, layers, await givenLayers(tree, given), version)
}

function defaultsLayer(tree: Located): Layer {
  return { rank: 0, owner: 'tool', kind: 'default', tree, label: 'chart values' }
}

/** Returns the given values of a chart as layers, the weakest of an owner first. */
export async function givenLayers(tree: FileTree, given: readonly GivenValues[]): Promise<Layer[]> {
  const layers: Layer[] = []
  let values = mergedTrees([])
  const add = ({ owner }: GivenValues, located: Located, label: string): void => {
    layers.push((owner === 'operator' ? operatorLayer : developerLayer)(located, label))
  }
  for (const one of given) {
    for (const file of one.plan.valueFiles) {
      const located = await readValuesFile(tree, file)
      if (located === undefined) continue
      add(one, located, 'values file')
      values = mergeLocated(values, located)
    }
    for (const { located, label } of inlineTrees(one)) {
      add(one, located, label)
      values = mergeLocated(values, located)
    }
  }
  // Helm takes every --set-string after every --set, and every --set-file after those.
  for (const step of [setParameters(false), setParameters(true), setFiles(tree)]) {
    for (const one of given) {
      let located = mergedTrees([])
      for (const { name, path, value } of await step.read(one)) {
        const result = setLocatedValue(values, path, value)
        if (one.isLeftOut?.(name) !== true) values = result.values
        located = mergeLocated(located, result.set)
      }
      if (isValueMap(located.value) && located.value.size > 0) add(one, located, step.label)
    }
  }
  return layers
}

/** Defaults of charts by file and text, as many applications share them; a tree takes several times the memory of its text. */
const defaults = new LRUCache<string, Located>({
  max: 100,
  maxSize: 256 * 1024,
  sizeCalculation: (_, key) => key.length,
})

function parseDefaults(text: string, file: string): Located {
  const key = `${file}\n${text}`
  const known = defaults.get(key)
  if (known !== undefined) return known
  const parsed = parseValues(text, file)
  defaults.set(key, parsed)
  return parsed
}

function parseValues(text: string, file: string): Located {
  return readLocatedYaml(text, file, { rules: 'kubernetes' })
}

/** The values file as Helm reads it; undefined if it is not there. */
async function readValuesFile(
  tree: FileTree,
  path: string,
  parse = parseValues,
): Promise<Located | undefined> {
  const found = await followPath(tree, path)
  if (found === undefined || found.entry.kind === 'directory') return undefined
  const file = shownPath(path)
  return parse(fileText(await tree.read(found.target, maxValuesFileBytes), file), file)
}

/** `valuesObject` or, without it, `values`. */
function inlineTrees({ options, textOf }: GivenValues): { located: Located; label: string }[] {
  const objects = options.flatMap((tree) => partOf(tree, 'valuesObject') ?? [])
  if (objects.length > 0) return objects.map((located) => ({ located, label: 'helm.valuesObject' }))
  const text = partOf(mergedTrees(options), 'values')
  const located = text && inlineValuesTree(text, textOf(text.at.file))
  return located === undefined ? [] : [{ located, label: 'helm.values' }]
}

interface SetEntry {
  readonly name: string
  readonly path: ValuePath
  readonly value: Located
}

/** A kind of option that sets single values. */
interface SetStep {
  readonly label: string
  readonly read: (given: GivenValues) => Promise<SetEntry[]>
}

function setParameters(allText: boolean): SetStep {
  const option = allText ? '--set-string' : '--set'
  const read = async ({ options, plan }: GivenValues): Promise<SetEntry[]> => {
    const list = partOf(mergedTrees(options), 'parameters')
    const items = new Map<string, Located>()
    for (const item of list?.parts?.values() ?? (list && unplacedItems(list)) ?? []) {
      const [name, isText] = [partOf(item, 'name')?.value, partOf(item, 'forceString')?.value === true]
      if (typeof name === 'string' && isText === allText) items.set(name, item)
    }
    return plan.parameters.flatMap((parameter) => {
      const path = parameter.option === option ? explainedPath(parameter.name) : undefined
      const item = items.get(parameter.name)
      if (path === undefined || item === undefined) return []
      const value = setValue(parameter.value, allText, item.at)
      const derivedFrom = partOf(item, 'value')?.derivedFrom
      return [
        { name: parameter.name, path, value: derivedFrom === undefined ? value : { ...value, derivedFrom } },
      ]
    })
  }
  return { label: 'helm.parameters', read }
}

function unplacedItems({ value, at }: Located): Located[] {
  return isList(value) ? value.map((item) => ({ value: item, at })) : []
}

function setFiles(files: FileTree): SetStep {
  const read = async ({ plan }: GivenValues): Promise<SetEntry[]> => {
    const entries: SetEntry[] = []
    for (const { name, path: file } of plan.fileParameters) {
      const path = explainedPath(name)
      const found = path && (await followPath(files, file))
      if (path === undefined || found === undefined) continue
      const shown = shownPath(file)
      const text = fileText(await files.read(found.target, maxValuesFileBytes), shown)
      entries.push({ name, path, value: { value: text, at: { file: shown } } })
    }
    return entries
  }
  return { label: 'helm.fileParameters', read }
}

function explainedPath(name: string): ValuePath | undefined {
  const path = parseSetName(name)
  return path?.some((step) => typeof step === 'number' && step > maxPosition) === true ? undefined : path
}
