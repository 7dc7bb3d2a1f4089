import type { HelmOptions } from './helm-option-schema.ts'
import type { ChartRender } from './helm-inputs.ts'

/** A chart with everything that Helm is given. */
export interface GivenChart {
  /** The chart's directory, from the repository's root. */
  readonly path: string
  readonly chart: ChartRender
  readonly options: HelmOptions
  /** Values files that are not in the repository; the values of the options override them. */
  readonly valuesTexts: readonly string[]
  readonly inputs: readonly string[]
  /** That of Helm. */
  readonly version: string
}
