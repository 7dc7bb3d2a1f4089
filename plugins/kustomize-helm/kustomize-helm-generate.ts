#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import { type Chart, readBelow, readKustomization } from './kustomization.ts'
import { readParameters } from './parameters.ts'
import { UserError, runProgram } from './user-error.ts'
import { runKustomize } from './run-kustomize.ts'
import { parsePath, valueAt, withValue } from './value-paths.ts'
import { readYaml, type Values } from './values-tree.ts'

// Prints the manifests of the kustomization in the current directory. cmp-server starts this in a private copy of the
// repository, so the kustomization can be changed: every chart with parameters gets one more file of values.
runProgram(() => {
  const { file, text, charts } = readKustomization(process.cwd())
  const parameters = readParameters(process.env)
  const document = parseDocument(text)
  for (const [index, chart] of charts.entries()) {
    requireVendored(chart)
    const given = parameters.get(chart.id)
    if (given === undefined) continue
    const valuesFile = `.parameters-${index}.yaml`
    writeFileSync(valuesFile, valuesText(chosenValues(chart, given)), { flag: 'wx' })
    const files = [...chart.additionalValuesFiles, valuesFile]
    document.setIn(['helmCharts', index, 'additionalValuesFiles'], files)
  }
  const names = charts.map(({ id }) => id)
  for (const name of parameters.keys()) {
    if (!names.includes(name))
      console.error(`parameter ${name} matches no chart; expected one of ${names.join(', ')}`)
  }
  writeFileSync(file, document.toString())
  runKustomize(process.cwd())
})

/** Kustomize would download the chart, so the same commit could render differently. */
function requireVendored({ id, directory }: Chart): void {
  if (readBelow(process.cwd(), join(directory, 'Chart.yaml')) === undefined) {
    throw new UserError(
      `chart ${id} is not in ${directory}; put it there with "helm pull --untar" and commit it`,
    )
  }
}

/** The values as a file for Helm. Where the default is a text, so is the value; elsewhere it is read as YAML. */
function chosenValues(chart: Chart, given: ReadonlyMap<string, string>): Values {
  const defaults = chart.values('typed')
  let chosen: Values = new Map()
  for (const [path, text] of given) {
    const isText = typeof valueAt(defaults, parsePath(path)) === 'string'
    const value = isText ? text : readYaml(text, `parameter ${chart.id}: ${path}`, 'typed')
    chosen = withValue(chosen, defaults, path, value)
  }
  return chosen
}

/** All texts in quotes, which leave no doubt about their type. */
function valuesText(values: Values): string {
  return stringify(values, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 })
}
