import type { OptionLayer, OriginOf } from './option-origin.ts'
import type { SourceOptions } from './source.ts'

/** The options of a source, and where they are. */
export interface InspectedOptions {
  /** The source's directory, normalised: `''` is the repository's root. */
  readonly path: string
  /** The options of the Application and of the repository, merged. */
  readonly options: SourceOptions
  readonly originOf: OriginOf
  /** The places of the options, each a JSON merge patch over those before. */
  readonly optionLayers: readonly OptionLayer[]
}
