import { isJsonObject } from '@wadi/fields/json-object.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { readBySchema } from '@wadi/fields/schema-findings.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { nearestPart, partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { maxConfigFileBytes } from '../../source/config-file.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import {
  type GivenValues,
  developerValues,
  givenLayers,
  resolveChartValues,
} from './parameters/helm-layers.ts'
import { chartTrees, valueOptions } from './parameters/chart-trees.ts'
import { parseSetName } from '@wadi/params/values/set-name.ts'
import { mergedTrees, renderedOptionLayers } from '../../parameters/explain/option-trees.ts'
import { noParameters } from '../../plan/parameter-view.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RenderRequest } from '../../plan/render-request.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import { inlineValues } from './helm-arguments.ts'
import { type HelmOptions, helmOptionSchema } from './helm-option-schema.ts'
import { type ChartRender, planHelm } from './helm-inputs.ts'
import { helmPlan } from './helm-plan.ts'

/**
 * Plans a chart that a `Render` names. Every value that the `Render` sets overrides all that the directory's own options
 * set, in whatever way either sets it.
 * @throws InvalidInputError naming the place of an option that is wrong
 */
export async function planRenderedChart(
  source: PlannedSource,
  { spec, optionPlaces, namespace }: RenderRequest,
): Promise<Plan> {
  const { path, layers, trace, environment, tools, policy, inputs } = source
  const given = partOf(spec, 'helm')
  const { own, set } = splitOptions(source.options.helm ?? {}, given, optionPlaces)
  const ownChart = await planHelm(trace, path, own, environment, policy, inputs)
  const operator: GivenValues = {
    owner: 'operator',
    options: given === undefined ? [] : [given],
    textOf: () => undefined,
    plan: await planHelm(trace, path, set, environment, policy, inputs),
  }
  const overriding = mergedTrees((await givenLayers(trace, [operator])).map((layer) => layer.tree))
  const isLeftOut = (name: string): boolean => decides(overriding, name)
  const isFree = ({ name }: { readonly name: string }): boolean => !isLeftOut(name)
  const chart: ChartRender = {
    ...ownChart,
    parameters: [...ownChart.parameters.filter(isFree), ...operator.plan.parameters],
    fileParameters: [...ownChart.fileParameters.filter(isFree), ...operator.plan.fileParameters],
  }
  const texts = await readTexts(trace, operator.plan.valueFiles)
  const developer = { ...developerValues(layers, ownChart), isLeftOut }
  const resolution = await resolveChartValues(trace, path, [developer, operator], tools.helm.version)
  const trees = chartTrees(chart.chartName, resolution, renderedOptionLayers(layers, spec, 'helm'))
  const values = overlaid(own, set, texts)
  const options = { ...values.options, namespace: own.namespace || namespace }
  const { valuesTexts } = values
  const { version } = tools.helm
  return helmPlan(
    { path, chart, options, valuesTexts, inputs: inputs.paths(), version },
    { ...noParameters, explain: async () => trees },
  )
}

/** The options of a directory with those of a `Render`, and apart from them the values that the `Render` sets. */
function splitOptions(
  options: HelmOptions,
  given: Located | undefined,
  places: FieldPlaces,
): { own: HelmOptions; set: HelmOptions } {
  const patch = given === undefined ? {} : toJson(given.value)
  const entries = isJsonObject(patch) ? Object.entries(patch) : []
  // Values of operators are put over those of developers and do not replace them.
  const isSet = ([key, value]: [string, JsonValue]): boolean => valueOptions.has(key) && value !== null
  const read = (helm: unknown): HelmOptions =>
    readBySchema(helmOptionSchema, helm, placesBelow(places, 'helm'))
  return {
    own: read(jsonMergePatch(options, Object.fromEntries(entries.filter((entry) => !isSet(entry))))),
    set: read(Object.fromEntries(entries.filter(isSet))),
  }
}

async function readTexts(trace: TracingTree, files: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const file of files) {
    const found = await followPath(trace, file)
    texts.push(fileText(await trace.read(found?.target ?? file, maxConfigFileBytes), file))
  }
  return texts
}

/** Values files and inline values of a `Render` over the inline values of a directory, which become a values file. */
function overlaid(
  own: HelmOptions,
  { values, valuesObject }: HelmOptions,
  texts: readonly string[],
): { options: HelmOptions; valuesTexts: string[] } {
  const isOver = texts.length > 0 || values !== undefined || valuesObject !== undefined
  if (!isOver) return { options: own, valuesTexts: [] }
  const { values: _values, valuesObject: _valuesObject, ...plain } = own
  const inline = inlineValues(own)
  return {
    options: { ...plain, ...(values && { values }), ...(valuesObject && { valuesObject }) },
    valuesTexts: [...(inline === undefined ? [] : [inline]), ...texts],
  }
}

/** True if values have something at, above or below the path of a name of Helm's `--set`. */
function decides(values: Located, name: string): boolean {
  const path = parseSetName(name)?.map(String)
  if (path === undefined) return false
  const { part, depth } = nearestPart(values, path)
  return depth === path.length || !isValueMap(part.value)
}
