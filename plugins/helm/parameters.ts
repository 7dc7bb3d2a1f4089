import { readFileSync } from 'node:fs'
import { UserError } from './user-error.ts'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** An entry of a map parameter. */
type Entry = readonly [key: string, value: string]

/** The parameters that users set for a chart, by the names that the plugin announces. */
export interface HelmParameters {
  readonly valuesFiles: readonly string[]
  readonly values: string
  readonly set: readonly Entry[]
  readonly setString: readonly Entry[]
  readonly setFile: readonly Entry[]
  readonly releaseName: string
  readonly namespace: string
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  readonly skipCrds: boolean
  readonly skipTests: boolean
  readonly skipSchemaValidation: boolean
  readonly ignoreMissingValueFiles: boolean
}

/** A parameter as cmp-server writes it: one of the three kinds of value. */
interface Parameter {
  readonly name: string
  readonly string?: string
  readonly array?: readonly string[]
  readonly map?: Readonly<Record<string, string>>
}

/** Reads the parameters of the application; what is not set comes from the build environment, as it does natively. */
export function readParameters(environment: Environment): HelmParameters {
  const given = new Map(readList(environment).map((parameter) => [parameter.name, parameter]))
  const text = (name: string) => one(given.get(name), 'string', 'a text') ?? ''
  const list = (name: string) => one(given.get(name), 'array', 'a list') ?? []
  const entries = (name: string) => sorted(one(given.get(name), 'map', 'a map') ?? {})
  const flag = (name: string) => readFlag(name, text(name))
  checkHelmVersion(text('helm-version'))
  flag('pass-credentials')
  return {
    valuesFiles: list('values-files'),
    values: text('values'),
    set: entries('helm-parameters'),
    setString: entries('helm-string-parameters'),
    setFile: entries('helm-file-parameters'),
    releaseName: text('release-name') || applicationName(environment),
    namespace: text('namespace') || (environment['ARGOCD_APP_NAMESPACE'] ?? ''),
    kubeVersion: text('kube-version') || (environment['KUBE_VERSION'] ?? ''),
    apiVersions: given.has('api-versions') ? list('api-versions') : clusterVersions(environment),
    skipCrds: flag('skip-crds'),
    skipTests: flag('skip-tests'),
    skipSchemaValidation: flag('skip-schema-validation'),
    ignoreMissingValueFiles: flag('ignore-missing-value-files'),
  }
}

function readList(environment: Environment): readonly Parameter[] {
  const file = environment['ARGOCD_APP_PARAMETERS_FILE']
  // Wadi puts a list that is too long for a variable into the file alone.
  const json = environment['ARGOCD_APP_PARAMETERS'] ?? (file ? readFileSync(file, 'utf8') : 'null')
  const parsed: readonly Parameter[] | null = JSON.parse(json)
  return parsed ?? []
}

function one<Kind extends 'string' | 'array' | 'map'>(
  parameter: Parameter | undefined,
  kind: Kind,
  what: string,
): Parameter[Kind] | undefined {
  const others = (['string', 'array', 'map'] as const).filter((other) => other !== kind)
  if (parameter !== undefined && parameter[kind] === undefined && others.some((other) => parameter[other])) {
    throw new UserError(`parameter ${parameter.name} is ${what}; set it with "${kind}"`)
  }
  return parameter?.[kind]
}

/** Helm's result can depend on the order in which values are set, so there is one order only. */
function sorted(map: Readonly<Record<string, string>>): Entry[] {
  return Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function readFlag(name: string, value: string): boolean {
  if (value !== '' && value !== 'true' && value !== 'false') {
    throw new UserError(`parameter ${name} is "${value}"; it is true or false`)
  }
  return value === 'true'
}

function checkHelmVersion(version: string): void {
  if (!['', 'v3', 'v4'].includes(version)) {
    throw new UserError(
      `helm version "${version}" is not supported; parameter helm-version is v3, v4 or empty`,
    )
  }
}

/** Argo CD writes `<namespace>_<name>` for applications outside its own namespace; Wadi passes no name. */
function applicationName({ ARGOCD_APP_NAME: name = '' }: Environment): string {
  return name.slice(name.indexOf('_') + 1)
}

function clusterVersions({ KUBE_API_VERSIONS: versions = '' }: Environment): string[] {
  return versions === '' ? [] : versions.split(',')
}
