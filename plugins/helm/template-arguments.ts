import { substitute } from './build-environment.ts'
import { directoryArgument } from './dependencies.ts'
import type { Environment, HelmParameters } from './parameters.ts'
import { UserError } from './user-error.ts'
import type { Repository } from './repository.ts'
import { findParameterFile, findValueFiles } from './value-files.ts'

/** Helm's own rule, checked here as the name becomes an argument. */
const releaseName = /^(?=.{1,53}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The arguments of `helm template` at the repository's root. Parameter `values` is expected on standard input. */
export function templateArguments(
  repository: Repository,
  parameters: HelmParameters,
  environment: Environment,
): string[] {
  const filled = (text: string) => substitute(text, environment)
  const valueFiles = findValueFiles(
    repository,
    parameters.valuesFiles.map(filled),
    parameters.ignoreMissingValueFiles,
  )
  const { releaseName: name } = parameters
  if (name !== '' && !releaseName.test(name)) {
    throw new UserError(
      `parameter release-name "${name}" is not a release name: at most 53 lower-case letters, digits, "-" and "."`,
    )
  }
  return [
    'template',
    ...(name === '' ? [] : [name]),
    directoryArgument(repository.path),
    ...option('--namespace', parameters.namespace),
    ...option('--kube-version', parameters.kubeVersion),
    ...parameters.apiVersions.flatMap((version) => ['--api-versions', version]),
    ...valueFiles.flatMap((file) => ['--values', fileArgument(file)]),
    ...(parameters.values.trim() === '' ? [] : ['--values', '-']),
    ...parameters.set.flatMap(([path, value]) => ['--set', `${path}=${escapeCommas(filled(value))}`]),
    ...parameters.setString.flatMap(([path, value]) => [
      '--set-string',
      `${path}=${escapeCommas(filled(value))}`,
    ]),
    ...parameters.setFile.flatMap(([path, file]) => [
      '--set-file',
      `${path}=${escapeCommas(findParameterFile(repository, filled(file)))}`,
    ]),
    ...(parameters.skipCrds ? [] : ['--include-crds']),
    ...(parameters.skipTests ? ['--skip-tests'] : []),
    ...(parameters.skipSchemaValidation ? ['--skip-schema-validation'] : []),
  ]
}

function option(name: string, value: string): string[] {
  return value === '' ? [] : [name, value]
}

/** Commas separate several values of one `--set`, unless escaped or inside a list in braces. */
function escapeCommas(value: string): string {
  return value.startsWith('{') && value.endsWith('}') ? value : value.replaceAll(/(?<!\\),/g, String.raw`\,`)
}

/** Helm splits `--values` at commas as CSV does, where quotes hold a value together. */
function fileArgument(path: string): string {
  return /[,"\n]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path
}
