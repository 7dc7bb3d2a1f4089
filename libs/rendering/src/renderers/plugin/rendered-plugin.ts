import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { readBySchema } from '@wadi/fields/schema-findings.ts'
import { locationAt, partAt, partOf } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Located, type Value, isValueMap } from '@wadi/params/values/value.ts'
import { checkParameters } from '@wadi/plugins/parameters/check-parameters.ts'
import { exactValue, parametersOfValues } from '@wadi/plugins/parameters/parameters-of-values.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { readParameters } from '@wadi/plugins/parameters/read-parameters.ts'
import { BuildEnvironment } from '../../source/build-environment.ts'
import { developerLayer, operatorLayer } from '../../parameters/explain/option-trees.ts'
import { type PlacedParameter, placedParameters, resolvePluginParameters } from './parameters/plugin-tree.ts'
import { noParameters } from '../../plan/parameter-view.ts'
import type { Plan } from '../../plan/plan.ts'
import { renderFields } from '../../plan/render-options.ts'
import type { RenderRequest } from '../../plan/render-request.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { pluginPlan } from './plugin-plan.ts'
import { findPlugin } from './plugin-use.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { type PluginOptions, pluginOptionSchema } from './plugin-option-schema.ts'

/**
 * Plans a directory that a `Render` names for the plugin that its options name, or without options for the one that takes
 * it; undefined if none does. The `Render`'s parameters and variables win by name.
 * @throws InvalidInputError with the place of a parameter that is not as the plugin announces it, what `choosePlugin`
 *   throws, and what the plugin throws while it is asked
 */
export async function planRenderedPlugin(
  planned: PlannedSource,
  { spec, optionPlaces }: RenderRequest,
): Promise<Plan | undefined> {
  const { path, layers, trace, signal } = planned
  const own = planned.options.plugin
  const given = partOf(spec, 'plugin')
  if (given !== undefined) renderFields.known(given, ['name', 'parameters', 'env'], 'spec.plugin.')
  const operator = given === undefined ? [] : givenParameters(given, optionPlaces)
  const developer = placedParameters(layers, own?.parameters ?? [])
  const { parameters } = resolvePluginParameters('', [], developer, operator)
  const isOpen = given === undefined && own === undefined
  const options = isOpen ? undefined : mergedOptions(own, given, parameters, optionPlaces)
  const build = new Map([...planned.build, ['ARGOCD_APP_SOURCE_PATH', path]])
  const environment = new BuildEnvironment(build)
  const use = await findPlugin({
    ...planned,
    source: { ...planned.source, manifestGeneratePaths: pathsFromRoot(planned) },
    options,
    build,
    environment,
    plugins: planned.tools.plugins,
  })
  if (use === undefined) return undefined
  for (const used of environment.used) planned.environment.substitute(`\${${used}}`)
  const { plugin } = use
  const call = { ...use.call, tree: trace.untraced, ...(signal && { signal }) }
  const { announcements } = await plugin.announce(call)
  const { tree } = resolvePluginParameters(plugin.name, announcements, developer, operator)
  if (given !== undefined) {
    const places = new Map(
      [...developer, ...operator].map(({ parameter, place }) => [parameter.name, place.at]),
    )
    const problems = checkParameters(parameters, announcements).map(({ name, message }) => {
      const at = formatLocation(places.get(name) ?? given.at)
      return `${at}: parameter ${JSON.stringify(name)} of plugin ${plugin.name} ${message}`
    })
    if (problems.length > 0) throw new InvalidInputError(problems.join('\n'))
  }
  return pluginPlan(use, planned.inputs.paths(), { ...noParameters, explain: async () => [tree] })
}

/** The options of the directory with what the `Render` says of the plugin over them. */
function mergedOptions(
  own: PluginOptions | undefined,
  given: Located | undefined,
  parameters: readonly Parameter[],
  places: FieldPlaces,
): PluginOptions | undefined {
  const name = (given && partOf(given, 'name')?.value) ?? undefined
  const env = mergedVariables(own?.env, given && partOf(given, 'env'), places)
  const plugin = { ...own, ...(name !== undefined && { name }), env, parameters }
  return readBySchema(pluginOptionSchema, plugin, placesBelow(places, 'plugin'))
}

/** Parameters of a `Render`: Argo CD's list, or a map of values by name. */
function givenParameters(given: Located, places: FieldPlaces): PlacedParameter[] {
  const part = partOf(given, 'parameters')
  if (part === undefined || part.value === null) return []
  const { value } = part
  const parameters: Parameter[] = isValueMap(value)
    ? parametersOfValues(value)
    : readParameters(exactValue(value), placesBelow(places, 'plugin', 'parameters'))
  return parameters.map((parameter, index) => {
    const { at, derivedFrom } =
      (isValueMap(value) ? partAt(part, [parameter.name]) : placeInList(part, index)) ?? part
    return { parameter, place: derivedFrom === undefined ? { at } : { at, derivedFrom } }
  })
}

/** An item of the list, or the field of it that holds its value if that was derived from something. */
function placeInList(list: Located, index: number): Located | undefined {
  const item = partAt(list, [String(index)])
  const values = ['string', 'array', 'map', 'value'].flatMap((key) => (item && partOf(item, key)) ?? [])
  return values.find(({ derivedFrom }) => derivedFrom !== undefined) ?? item
}

/** Variables by name, those of the `Render` over those of the directory. */
function mergedVariables(
  own: PluginOptions['env'] = [],
  given: Located | undefined,
  places: FieldPlaces,
): NonNullable<PluginOptions['env']> {
  if (given === undefined) return own
  const items = isList(given.value) ? given.value.map(exactValue) : exactValue(given.value)
  const set = readBySchema(pluginOptionSchema, { env: items }, placesBelow(places, 'plugin')).env ?? []
  const treeOf = (variables: typeof set): Located => ({
    value: new Map(variables.map(({ name, value = '' }): [string, Value] => [name, value])),
    at: locationAt(given, []),
  })
  const { tree } = resolve(
    [developerLayer(treeOf(own), 'plugin.env'), operatorLayer(treeOf(set), 'Render plugin.env')],
    'replace',
  )
  return Array.from(isValueMap(tree) ? tree : [], ([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : '',
  }))
}

/** The paths that the Application's annotation lists, from the repository's root: they are relative to its own directory. */
function pathsFromRoot({ source }: PlannedSource): string {
  return source.manifestGeneratePaths
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (item.startsWith('/') ? item : `/${childPath(source.path, item)}`))
    .join(';')
}
