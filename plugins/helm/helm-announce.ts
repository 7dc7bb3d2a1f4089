#!/usr/bin/env node
import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { substitute } from './build-environment.ts'
import { readParameters } from './parameters.ts'
import { runProgram } from './user-error.ts'
import { findRepository, kindOf } from './repository.ts'
import { findValueFiles } from './value-files.ts'
import { flatten, overlay, readValues } from './values-tree.ts'

// Prints the parameters that depend on the chart in the current directory, as JSON. Their defaults are what Helm uses when
// the parameter is not set: the chart's values.yaml, over it the values files and the values that are set now.
runProgram(() => {
  const repository = findRepository(process.cwd(), process.env['ARGOCD_APP_SOURCE_PATH'] ?? '')
  const { valuesFiles, values } = readParameters(process.env)
  const given = valuesFiles.map((file) => substitute(file, process.env))
  const ownValues = posix.join(repository.path, 'values.yaml')
  const own = kindOf(repository, ownValues, 'value file') === 'file' ? [ownValues] : []
  // A file that is missing must not keep users from seeing, and correcting, the parameters.
  const defaults = [...own, ...findValueFiles(repository, given, true)]
    .map((file) => readValues(readFileSync(join(repository.root, file), 'utf8'), file))
    .concat(readValues(values, 'parameter values'))
    .reduce(overlay)
  const announcements = [
    {
      name: 'values-files',
      title: 'Values files',
      tooltip: 'Later files override earlier ones; a leading / is the root of the repository.',
      collectionType: 'array',
      options: [...new Set([...candidates(process.cwd()), ...valuesFiles])],
    },
    {
      name: 'helm-parameters',
      title: 'Parameters',
      tooltip: 'Values by path, as for --set; they override the values files.',
      collectionType: 'map',
      map: Object.fromEntries(flatten(defaults)),
    },
  ]
  console.log(JSON.stringify(announcements))
})

/** YAML files below the chart with "values" in their names. */
function candidates(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /values[^/]*\.ya?ml$/.test(file) && !file.startsWith('.git/'))
    .toSorted()
}
