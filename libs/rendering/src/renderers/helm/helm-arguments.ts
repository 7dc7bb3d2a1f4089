import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { ChartRender } from './helm-inputs.ts'
import type { HelmOptions } from './helm-option-schema.ts'

/** Helm's own rule for release names, checked here as the name becomes an argument. */
const releaseName = /^(?=.{1,53}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The values that a source carries itself, as a file for Helm; `valuesObject` replaces `values`. */
export function inlineValues(options: HelmOptions): string | undefined {
  const { valuesObject, values } = options
  // JSON is YAML, and unlike any YAML writer it leaves no doubt about a value's type.
  if (valuesObject !== undefined) return `${manifestToJson(valuesObject)}\n`
  return values === undefined || values.trim() === '' ? undefined : values
}

/** The arguments of `helm template` at the repository's root, always in the same order. */
export function helmArguments(
  plan: ChartRender,
  path: string,
  options: HelmOptions,
  destinationNamespace: string,
  valuesFiles: readonly string[],
): string[] {
  const namespace = options.namespace || destinationNamespace
  if (options.releaseName && !releaseName.test(options.releaseName)) {
    throw new InvalidInputError(
      `helm.releaseName "${options.releaseName}" is not a release name: at most 53 lower-case letters, digits, "-" and "."`,
    )
  }
  return [
    'template',
    ...(options.releaseName ? [options.releaseName] : []),
    chartArgument(path),
    ...flag('--namespace', namespace),
    ...flag('--kube-version', options.kubeVersion),
    ...(options.apiVersions ?? []).flatMap((version) => ['--api-versions', version]),
    ...plan.valueFiles.flatMap((file) => ['--values', fileArgument(file)]),
    ...valuesFiles.flatMap((file) => ['--values', file]),
    ...setArguments(plan).flatMap(({ option, value }) => [option, value]),
    ...(options.skipCrds === true ? [] : ['--include-crds']),
    ...(options.skipTests === true ? ['--skip-tests'] : []),
    ...(options.skipSchemaValidation === true ? ['--skip-schema-validation'] : []),
  ]
}

/** The options that set single values, each with its argument. */
export function setArguments({
  parameters,
  fileParameters,
}: ChartRender): { option: string; value: string }[] {
  return [
    ...parameters.map(({ option, name, value }) => ({ option, value: `${name}=${escapeCommas(value)}` })),
    ...fileParameters.map(({ name, path: file }) => ({
      option: '--set-file',
      value: `${name}=${escapeCommas(file)}`,
    })),
  ]
}

/** A directory as an argument that is never taken for an option or the name of a chart elsewhere. */
export function chartArgument(path: string): string {
  if (path === '') return '.'
  return path.startsWith('-') ? `./${path}` : path
}

/** Commas separate several values of one `--set`, unless escaped or inside a list in braces; Argo CD does the same. */
function escapeCommas(value: string): string {
  return value.startsWith('{') && value.endsWith('}') ? value : value.replaceAll(/(?<!\\),/g, String.raw`\,`)
}

/** Helm splits `--values` at commas as CSV does, where quotes hold a value together. */
function fileArgument(path: string): string {
  return /[,"\n]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path
}

function flag(name: string, value: string | undefined): string[] {
  return value ? [name, value] : []
}
