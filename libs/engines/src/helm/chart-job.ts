/** A directory with a chart, by a digest of all that is in it. */
export interface ChartDirectory {
  readonly digest: string
  /** Its files with their contents in base64, names relative to it. */
  readonly files: readonly { readonly name: string; readonly data: string }[]
}

/** One render of a chart, as `helm template` is given it. */
export interface ChartJob {
  /** Digest of the chart's directory. */
  readonly chart: string
  /** Digests of charts that a build of its dependencies puts into it. */
  readonly dependencies: readonly string[]
  /** Texts of values files; a later one overrides those before. */
  readonly values: readonly string[]
  /** The arguments of `--set`, `--set-string` and `--set-file`, as `name=value`. */
  readonly parameters: readonly { readonly option: string; readonly value: string }[]
  /** The files that `--set-file` names, by path. */
  readonly texts: Readonly<Record<string, string>>
  readonly release: string
  readonly namespace: string
  /** `''` for that of Helm. */
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  readonly includeCrds: boolean
  readonly skipTests: boolean
  readonly skipSchemaValidation: boolean
}

/** The message to a thread: a render, with directories that it may not have. */
export interface ChartMessage extends ChartJob {
  readonly load: readonly ChartDirectory[]
}
