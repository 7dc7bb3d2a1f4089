/** The renderer of an application: `helm` is the in-house chart, `third-party` a chart with values per cluster. */
export type MonorepoKind = 'helm' | 'kustomize' | 'third-party' | 'directory' | 'jsonnet'

/** One application of the generated repository, with everything that an Application object needs. */
export interface MonorepoApplication {
  readonly name: string
  readonly kind: MonorepoKind
  /** Dry directory. */
  readonly path: string
  readonly namespace: string
  /** Hydrated branch, one per environment. */
  readonly branch: string
  /** Directory on the hydrated branch. */
  readonly syncPath: string
}

/** Files by path, and the applications that are rendered from them. */
export interface MonorepoPart {
  readonly files: ReadonlyMap<string, string>
  readonly applications: readonly MonorepoApplication[]
}

/** The environments of most services, in the order in which a change travels. */
export const environments = ['dev', 'staging', 'prod'] as const

/** An environment of the generated repository. */
export type Environment = (typeof environments)[number]

/** Describes an application of an environment; its name is its directory on the hydrated branch. */
export function application(
  environment: Environment,
  details: Pick<MonorepoApplication, 'name' | 'kind' | 'path' | 'namespace'>,
): MonorepoApplication {
  return { ...details, branch: `environments/${environment}`, syncPath: details.name }
}

/** The service and environment of the application number `index` of a kind whose services run in every environment. */
export function serviceAt(index: number, prefix: string): { service: string; environment: Environment } {
  const place = index % environments.length
  const number = String((index - place) / environments.length).padStart(4, '0')
  return { service: `${prefix}-${number}`, environment: environments[place] ?? 'dev' }
}
