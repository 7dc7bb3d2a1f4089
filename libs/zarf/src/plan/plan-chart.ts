import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { setLocated } from '@wadi/params/resolve/assign.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locatedAt } from '@wadi/params/values/located.ts'
import { mapResolution } from '@wadi/params/resolve/map-paths.ts'
import type { PathMap } from '@wadi/params/resolve/map-paths.ts'
import { parseKeyPath } from '@wadi/params/values/path.ts'
import type { Path } from '@wadi/params/values/path.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'
import { collect, collectLater, spend, undefinedValueCode } from '../lint/finding.ts'
import type { Budget, Finding } from '../lint/finding.ts'
import { pathInRepository, readText } from '../definition/package-files.ts'
import type { ComponentTexts } from './component-texts.ts'
import type { Planning } from './planning.ts'
import { pathMapOf } from './path-map.ts'
import { findValue } from '../actions/preflight.ts'
import type { Chart, ChartValue, Component, WrittenPath } from '../definition/zarf-package.ts'

/** A chart that is to be rendered. */
export interface PlannedChart {
  kind: 'chart'
  component: string
  /** The package's name for the chart. */
  name: string
  /** Directory or archive of the chart, from the root of the repository. */
  path: string
  namespace: string
  releaseName: string
  /** Values files in their order, a later one wins; markers and templates in them are done. */
  valueFiles: readonly { path: string; text: string }[]
  /** The values that override the values files: a map, in which null removes a default of the chart. */
  values: Value
  /** The sources of each part of `values`. */
  resolution: Resolution
  /** True if Helm must check the values with the chart's schema. */
  validatesSchema: boolean
  /**
   * Replaces markers in what Helm rendered.
   * @throws InvalidInputError for markers that cannot be hydrated.
   */
  finish(rendered: string): string
}

/** Plans a chart; undefined when it cannot be rendered, and findings say why. */
export async function planChart(
  planning: Planning,
  component: Component,
  chart: Chart,
  texts: ComponentTexts,
): Promise<PlannedChart | undefined> {
  const consumer = `component "${component.name}" chart "${chart.name}"`
  const { findings } = planning
  // The validation of the package reports a chart without a source.
  const hasPlace = chart.localPath !== '' || chart.url !== ''
  const path = hasPlace ? await collectLater(findings, chart.at, () => chartPath(planning, chart)) : undefined
  const plain = await readValueFiles(planning, chart, chart.valuesFiles, false, consumer, texts)
  const templated = await readValueFiles(planning, chart, chart.templatedValuesFiles, true, consumer, texts)
  const resolution = collect(findings, chart.at, () => chartValues(planning, chart, consumer))
  if (path === undefined || resolution === undefined) {
    return undefined
  }
  return {
    kind: 'chart',
    component: component.name,
    name: chart.name,
    path,
    namespace: chart.namespace,
    releaseName: chart.releaseName || chart.name,
    valueFiles: [...plain, ...templated],
    values: resolution.tree,
    resolution,
    validatesSchema: chart.validatesSchema,
    finish: (rendered) => {
      const found: Finding[] = []
      const marked = texts.mark(rendered, consumer, chart.at, found)
      const [first] = found
      if (first !== undefined) {
        throw new InvalidInputError(first.message, { at: chart.at })
      }
      return marked
    },
  }
}

async function chartPath({ files, package: { directory } }: Planning, chart: Chart): Promise<string> {
  if (chart.localPath === '') {
    throw new InvalidInputError(
      `chart "${chart.name}" is at ${chart.url}, which is not in git: add the chart to the repository and name it with localPath`,
    )
  }
  const path = pathInRepository(directory, chart.localPath)
  if ((await files.list(path)) === undefined && (await files.read(path)) === undefined) {
    throw new InvalidInputError(`chart "${chart.name}": there is no ${path}`)
  }
  return path
}

async function readValueFiles(
  planning: Planning,
  chart: Chart,
  paths: readonly WrittenPath[],
  isTemplate: boolean,
  consumer: string,
  texts: ComponentTexts,
): Promise<{ path: string; text: string }[]> {
  const { files, findings, package: zarfPackage } = planning
  const read = await Promise.all(
    paths.map(({ path, at }) =>
      collectLater(findings, at, async () => {
        const place = pathInRepository(zarfPackage.directory, path)
        return { place, text: await readText(files, place) }
      }),
    ),
  )
  const rendered: { path: string; text: string }[] = []
  for (const [index, file] of read.entries()) {
    if (file === undefined) continue
    // Zarf numbers the values files of a chart, templates after the others.
    const number = isTemplate ? chart.valuesFiles.length + index : index
    const text = await texts.render({
      text: file.text,
      name: `${chart.name}-${chart.version}-${number}`,
      consumer: isTemplate ? `${consumer} templated values file "${file.place}"` : consumer,
      failure: `error applying Go templates to values file ${file.place}`,
      at: { file: file.place },
      isTemplate,
    })
    if (text !== undefined) rendered.push({ path: file.place, text })
  }
  return rendered
}

/** Returns what variables and mapped values set, the latter winning. */
function chartValues(planning: Planning, chart: Chart, consumer: string): Resolution {
  let variables: Located = { value: new Map(), at: chart.at }
  for (const { name, path, at } of chart.variables) {
    const variable = planning.variables.get(name)
    if (variable !== undefined) {
      const before = variables
      const value = locatedAt(variable.value, variable.at)
      variables =
        collect(planning.findings, at, () => setLocated(before, parseKeyPath(`.${path}`), value)) ?? before
    } else {
      const message = `chart "${chart.name}" takes variable ${name}, which the package does not have`
      planning.findings.push({ severity: 'warning', message, at })
    }
  }
  const layers: Layer[] = [
    { rank: 0, owner: 'tool', kind: 'value', tree: variables, label: 'charts[].variables' },
  ]
  const known = chart.values.flatMap((value) => {
    const map = collect(planning.findings, value.at, () => pathMapOf(value))
    return map !== undefined && isKnown(planning, value, map, consumer) ? [{ map, at: value.at }] : []
  })
  for (const { map } of known) {
    spendParts(planning.mapped, valueAt(planning.values.tree, map.sourcePath))
  }
  const mapped = mapResolution(
    planning.values,
    known.map(({ map }) => map),
    (index, step) => collect(planning.findings, known[index]?.at, step),
  )
  if (chart.variables.length === 0) {
    return mapped
  }
  layers.push({ rank: 1, owner: 'tool', kind: 'value', tree: mapped.located(), label: 'charts[].values' })
  return resolve(layers, 'deep')
}

/** The most parts of values that all charts of a package may get. */
export const maxMapped = 500_000

function valueAt(tree: Value, path: Path): Value | undefined {
  return path.reduce<Value | undefined>(
    (value, key) => (isValueMap(value) ? value.get(key) : undefined),
    tree,
  )
}

function spendParts(budget: Budget, value: Value | undefined): void {
  spend(budget, `more than ${maxMapped} parts of values are mapped to charts: map what each chart needs`)
  if (isValueMap(value)) {
    value.forEach((member) => spendParts(budget, member))
  } else if (Array.isArray(value)) {
    value.forEach((member) => spendParts(budget, member))
  }
}

/** Returns true if the source of a mapping exists; adds a finding otherwise. */
function isKnown(planning: Planning, value: ChartValue, map: PathMap, consumer: string): boolean {
  const { sourcePath, targetPath, at } = value
  const path = map.sourcePath
  const found =
    path.length === 0 ? 'known' : findValue(planning.preflight, planning.values.tree, path, consumer)
  if (found === 'undefined') {
    const before = planning.findings.length
    collect(planning.findings, at, () => mapResolution(planning.values, [map]))
    const [reason] = planning.findings.splice(before)
    const why = reason === undefined ? '' : `: ${reason.message}`
    const message = `${consumer}: maps undefined value ${sourcePath} to ${targetPath}${why}`
    planning.findings.push({ severity: 'error', message, at, path: sourcePath, code: undefinedValueCode })
  }
  return found === 'known'
}
