import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from './user-error.ts'
import { mapOf, overlay, readYaml, type Scalars, type Values, type ValuesMap } from './values-tree.ts'

/** A chart that a kustomization inflates. */
export interface Chart {
  /** Its release name, else its name: the name of the parameter for its values. */
  readonly id: string
  /** The directory of its files, relative to the kustomization. */
  readonly directory: string
  readonly additionalValuesFiles: readonly string[]
  /** Returns its values before parameters: those of the chart and, over them, those of the kustomization. */
  readonly values: (scalars: Scalars) => ValuesMap
}

/** A kustomization with charts. */
export interface Kustomization {
  readonly file: string
  readonly text: string
  /** In the order of `helmCharts`. */
  readonly charts: readonly Chart[]
}

/** Reads the kustomization in a place. */
export function readKustomization(directory: string): Kustomization {
  for (const file of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
    const text = readBelow(directory, file)
    if (text === undefined) continue
    const home = textOf(
      mapOf(mapOf(readYaml(text, file, 'text'), file).get('helmGlobals'), file).get('chartHome'),
    )
    const entries = chartEntries(text, file, 'text')
    const charts = entries.map((entry, index): Chart => {
      const inline = (scalars: Scalars) => chartEntries(text, file, scalars)[index]?.get('valuesInline')
      return readChart(directory, file, home || 'charts', entry, inline)
    })
    const twice = charts.find(({ id }, index) => charts.findIndex((other) => other.id === id) < index)
    if (twice) throw new UserError(`${file}: two charts are called ${twice.id}; give them release names`)
    return { file, text, charts }
  }
  throw new UserError('there is no kustomization.yaml')
}

function chartEntries(text: string, file: string, scalars: Scalars): ValuesMap[] {
  const entries = mapOf(readYaml(text, file, scalars), file).get('helmCharts')
  return Array.isArray(entries) ? entries.map((entry: Values) => mapOf(entry, `${file}: helmCharts`)) : []
}

function readChart(
  directory: string,
  file: string,
  home: string,
  entry: ValuesMap,
  inline: (scalars: Scalars) => Values | undefined,
): Chart {
  const field = (key: string) => textOf(entry.get(key))
  const name = field('name')
  const id = field('releaseName') || name
  if (id === '') throw new UserError(`${file}: a chart without a name`)
  // Where Kustomize itself looks for it and, if it is not there, downloads it to.
  const place = join(home, field('repo') && field('version') ? `${name}-${field('version')}/${name}` : name)
  const additional = entry.get('additionalValuesFiles')
  const additionalValuesFiles = Array.isArray(additional) ? additional.map(textOf) : []
  return {
    id,
    directory: place,
    additionalValuesFiles,
    values: (scalars) => {
      const read = (path: string): ValuesMap =>
        mapOf(readYaml(readBelow(directory, path) ?? '', path, scalars), path)
      const own = field('valuesFile') === '' ? new Map() : read(field('valuesFile'))
      const written = mapOf(inline(scalars), `${file}: valuesInline of ${id}`)
      const layers = { merge: [written, own], replace: [written] }[field('valuesMerge')] ?? [own, written]
      return [read(join(place, 'values.yaml')), ...layers, ...additionalValuesFiles.map(read)].reduce(overlay)
    },
  }
}

/** A file below the place; undefined when there is none. What leads out of the place is not read. */
export function readBelow(directory: string, path: string): string | undefined {
  let target: string
  try {
    target = realpathSync(join(directory, path))
  } catch {
    return undefined
  }
  if (!target.startsWith(`${realpathSync(directory)}/`)) {
    throw new UserError(`"${path}" leads out of the directory of the kustomization`)
  }
  return readFileSync(target, 'utf8')
}

function textOf(value: Values | undefined): string {
  return typeof value === 'string' ? value : ''
}
