import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { WrittenParameter } from './shipped-plugin-fixture.ts'
import type { SourceOptions } from '@wadi/rendering/source/source.ts'

/** Returns a source of the native renderer as parameters for the plugin. */
export function pluginParameters(options: NonNullable<SourceOptions['helm']>): WrittenParameter[] {
  const { parameters = [], fileParameters = [], valuesObject } = options
  const values = valuesObject === undefined ? options.values : manifestToJson(valuesObject)
  const entries = (isText: boolean) =>
    parameters
      .filter(({ forceString = false }) => forceString === isText)
      .map(({ name, value = '' }) => [name, value] as const)
  return [
    ...list('values-files', options.valueFiles),
    ...text('values', values),
    ...map('helm-parameters', entries(false)),
    ...map('helm-string-parameters', entries(true)),
    ...map(
      'helm-file-parameters',
      fileParameters.map(({ name, path }) => [name, path]),
    ),
    ...text('release-name', options.releaseName),
    ...text('namespace', options.namespace),
    ...text('helm-version', options.version),
    ...text('kube-version', options.kubeVersion),
    ...list('api-versions', options.apiVersions),
    ...text('skip-crds', options.skipCrds?.toString()),
    ...text('skip-tests', options.skipTests?.toString()),
    ...text('skip-schema-validation', options.skipSchemaValidation?.toString()),
    ...text('pass-credentials', options.passCredentials?.toString()),
    ...text('ignore-missing-value-files', options.ignoreMissingValueFiles?.toString()),
  ]
}

function text(name: string, value: string | undefined): WrittenParameter[] {
  return value === undefined ? [] : [{ name, string: value }]
}

function list(name: string, items: readonly string[] | undefined): WrittenParameter[] {
  return items === undefined ? [] : [{ name, array: items }]
}

function map(name: string, entries: readonly (readonly [string, string])[]): WrittenParameter[] {
  return entries.length === 0 ? [] : [{ name, map: Object.fromEntries(entries) }]
}
