import { fileText } from '@wadi/manifests/file-text.ts'
import { type JsonValue, isMapping } from '@wadi/manifests/manifest.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import { nearestPart, partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { PlannedComposite } from '../composite/composite-plan.ts'
import { maxConfigFileBytes } from '../config-file.ts'
import { followPath } from '../tree/follow-links.ts'
import { inlineValues } from '../helm/helm-arguments.ts'
import { type HelmPlan, planHelm } from '../helm/helm-inputs.ts'
import type { InputCollector } from '../tree/input-collector.ts'
import { jsonMergePatch } from '../json-merge-patch.ts'
import type { OptionLayer } from '../option-origin.ts'
import {
  type GivenValues,
  developerValues,
  givenLayers,
  resolveChartValues,
} from '../parameters/helm-layers.ts'
import { parseSetName } from '../parameters/helm-set.ts'
import { mergedTrees, renderedOptionLayers } from '../parameters/option-trees.ts'
import { chartTrees, valueOptions } from '../parameters/plain-trees.ts'
import { type HelmOptions, checkSourceOptions } from '../source.ts'
import type { HelmPart } from '../composite/source-part.ts'

/** A chart's options of developers, and what a `Render` says. */
interface ChartOptions {
  /** Those of the directory. */
  readonly options: HelmOptions
  readonly layers: readonly OptionLayer[]
  /** The `Render`'s spec. */
  readonly spec: Located
  readonly locate: (field: readonly PropertyKey[]) => string
}

type ChartPlan = Pick<HelmPart, 'renderer' | 'helm' | 'options' | 'valuesTexts'>

/**
 * Plans a chart that a `Render` names. Every value that the `Render` sets counts over all that the directory's own options
 * set, in whatever way either sets it.
 * @throws InvalidInputError naming the place of an option that is wrong
 */
export async function planRenderedChart(
  { path, trace, environment, policy }: PlannedComposite,
  { options, layers, spec, locate }: ChartOptions,
  namespace: string,
  inputs: InputCollector,
): Promise<{ chart: ChartPlan; trees: ParameterTree[] }> {
  const given = partOf(spec, 'helm')
  const patch = given === undefined ? {} : toJson(given.value)
  const entries = isMapping(patch) ? Object.entries(patch) : []
  // Values of operators are put over those of developers and do not replace them.
  const isSet = ([key, value]: [string, JsonValue]): boolean => valueOptions.has(key) && value !== null
  const read = (helm: unknown): HelmOptions => checkSourceOptions({ helm }, locate).helm ?? {}
  const own = read(jsonMergePatch(options, Object.fromEntries(entries.filter((entry) => !isSet(entry)))))
  const set = read(Object.fromEntries(entries.filter(isSet)))
  const plan = async (helm: HelmOptions): Promise<HelmPlan> =>
    await planHelm(trace, path, helm, environment, policy, inputs)
  const ownPlan = await plan(own)
  const developer = developerValues(layers, ownPlan)
  const operator: GivenValues = {
    owner: 'operator',
    options: given === undefined ? [] : [given],
    textOf: () => undefined,
    plan: await plan(set),
  }
  const overriding = mergedTrees((await givenLayers(trace, [operator])).map((layer) => layer.tree))
  const isLeftOut = (name: string): boolean => decides(overriding, name)
  const isFree = ({ name }: { readonly name: string }): boolean => !isLeftOut(name)
  const helm: HelmPlan = {
    ...ownPlan,
    parameters: [...ownPlan.parameters.filter(isFree), ...operator.plan.parameters],
    fileParameters: [...ownPlan.fileParameters.filter(isFree), ...operator.plan.fileParameters],
  }
  const texts: string[] = []
  for (const file of operator.plan.valueFiles) {
    const found = await followPath(trace, file)
    texts.push(fileText(await trace.read(found?.target ?? file, maxConfigFileBytes), file))
  }
  const { values: _values, valuesObject: _valuesObject, ...plain } = own
  const { values, valuesObject } = set
  const inline = inlineValues(own)
  const isOver = texts.length > 0 || values !== undefined || valuesObject !== undefined
  const chart: ChartPlan = {
    renderer: 'helm',
    helm,
    options: {
      ...(isOver ? { ...plain, ...(values && { values }), ...(valuesObject && { valuesObject }) } : own),
      namespace: own.namespace || namespace,
    },
    valuesTexts: isOver ? [...(inline === undefined ? [] : [inline]), ...texts] : [],
  }
  const resolution = await resolveChartValues(trace, path, [{ ...developer, isLeftOut }, operator])
  return { chart, trees: chartTrees(helm.chartName, resolution, renderedOptionLayers(layers, spec, 'helm')) }
}

/** Whether values say something at, above or below what a name of Helm's `--set` names. */
function decides(values: Located, name: string): boolean {
  const path = parseSetName(name)?.map(String)
  if (path === undefined) return false
  const { part, depth } = nearestPart(values, path)
  return depth === path.length || !isValueMap(part.value)
}
