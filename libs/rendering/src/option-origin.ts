import { type ConfigFile, lineOfField, parseConfigs } from './config-file.ts'
import { isJsonObject } from './json-merge-patch.ts'

/** Where an option stands: in a file of the repository, or in the Application. */
interface OptionOrigin {
  readonly kind: 'git' | 'application'
  /** The file, relative to the repository's root; `''` for the Application. */
  readonly file: string
  /** Counted from 1; 0 for the Application. */
  readonly line: number
}

/** Names an option by its keys and list positions, for example `['plugin', 'parameters', 0]`. */
type OptionPath = readonly (string | number)[]

/**
 * Where the value of an option comes from; undefined for one that nobody sets.
 * A map's entries may come from different places, a list and everything in it from one.
 */
export type OriginOf = (path: OptionPath) => OptionOrigin | undefined

/** Options of one place, to be merged over those of the places before. */
export interface OptionLayer {
  readonly value: unknown
  origin(path: OptionPath): OptionOrigin
}

/** The options that stand in a file. */
export function fileLayer({ file, source: { text } }: ConfigFile, value: unknown): OptionLayer {
  // Inspections are remembered by the thousand and rarely asked, so the syntax tree is made again when one is.
  let config: ConfigFile | undefined
  return {
    value,
    origin: (path) => {
      config ??= parseConfigs(text, file)[0]
      return { kind: 'git', file, line: config === undefined ? 1 : lineOfField(config, path) }
    },
  }
}

/** Tells origins in layers that are merged in this order, each a JSON merge patch. */
export function originIn(layers: readonly OptionLayer[]): OriginOf {
  return (path) => {
    for (const layer of layers.toReversed()) {
      const says = whatItSays(layer.value, path)
      if (says !== 'nothing') return says === 'value' ? layer.origin(path) : undefined
    }
    return undefined
  }
}

/** What a merge patch says about an option: a value, that there is none, or nothing. */
function whatItSays(patch: unknown, path: OptionPath): 'value' | 'none' | 'nothing' {
  if (patch === undefined) return 'nothing'
  if (patch === null) return 'none'
  const [step, ...rest] = path
  if (step === undefined) return 'value'
  // A list replaces another as a whole, so a field of an item that it leaves out stands nowhere else.
  if (Array.isArray(patch)) return typeof step === 'number' && step < patch.length ? 'value' : 'none'
  if (!isJsonObject(patch)) return 'none'
  return Object.hasOwn(patch, step) ? whatItSays(patch[step], rest) : 'nothing'
}
