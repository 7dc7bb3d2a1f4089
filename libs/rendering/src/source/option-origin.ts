import type { Location } from '@wadi/errors/location.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { locatedMap, locationAt, partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { Float, type Located, type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { z } from 'zod'
import { type ConfigFile, maxConfigFileBytes } from './config-file.ts'
import { locatedGoFields } from './located-go-fields.ts'

/** The place of an option: in a file of the repository, or in the Application. */
interface OptionOrigin {
  readonly kind: 'git' | 'application'
  /** The file, relative to the repository's root; `''` for the Application. */
  readonly file: string
  /** Counted from 1; 0 for the Application. */
  readonly line: number
}

/** Names an option by its keys and list positions, for example `['plugin', 'parameters', 0]`. */
export type OptionPath = readonly (string | number)[]

/**
 * Returns the origin of an option's value; undefined for one that nobody sets. A map's entries may come from different
 * places, a list and everything in it from one.
 */
export type OriginOf = (path: OptionPath) => OptionOrigin | undefined

/** Options of one place: a JSON merge patch over those of the places before. */
export interface OptionLayer {
  readonly kind: OptionOrigin['kind']
  /** The options with the places where they are written, nulls included. */
  readonly tree: () => Located
  /** The text of the file; `''` for the Application. */
  readonly text: string
}

/**
 * The options that stand in a file.
 * @param schema has the spelling of their fields
 */
export function fileLayer({ file, source: { text } }: ConfigFile, schema: z.core.$ZodType): OptionLayer {
  // Inspections are remembered by the thousand and rarely asked, so the text is read again when one is.
  const tree = (): Located => {
    const limits = { maxBytes: maxConfigFileBytes }
    const [first] = readLocatedDocuments(text, file, { limits })
    return first ? locatedGoFields(schema, first) : { value: new Map(), at: { file } }
  }
  return { kind: 'git', tree, text }
}

/**
 * The options that an Application carries inline.
 * @param field of `spec.sourceHydrator`
 */
export function applicationLayer(
  options: Readonly<Record<string, unknown>>,
  field = 'drySource',
): OptionLayer {
  const place = `Application: spec.sourceHydrator.${field}`
  return outsideLayer(options, place, (key) => `${place}.${key}`)
}

/** The options that somebody tries out with the flags of a command; those of values files name the file themselves. */
export function flagLayer(options: Readonly<Record<string, unknown>>): OptionLayer {
  return outsideLayer(options, '--set', () => '--set')
}

function outsideLayer(
  options: Readonly<Record<string, unknown>>,
  place: string,
  placeOf: (key: string) => string,
): OptionLayer {
  const tree = (): Located => {
    const parts = Object.entries(options).map(([key, value]): [string, Located] => [
      key,
      { value: optionValue(value), at: { file: placeOf(key) } },
    ])
    return locatedMap(new Map(parts), { file: place })
  }
  return { kind: 'application', tree, text: '' }
}

/** Options are plain data in which a field may be undefined, which is none. */
function optionValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(optionValue)
  if (isJsonObject(value)) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    return new Map(entries.map(([key, member]) => [key, optionValue(member)]))
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value : new Float(value)
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? value : null
}

/** Tells origins in layers that are merged in this order, each a JSON merge patch. */
export function originIn(layers: readonly OptionLayer[]): OriginOf {
  return (path) => {
    for (const { kind, tree } of layers.toReversed()) {
      const says = whatItSays(tree(), path)
      if (says === 'nothing') continue
      if (says === 'none') return undefined
      const { file, line } = firstPlace(says)
      return kind === 'git' ? { kind, file, line: line ?? 1 } : { kind, file: '', line: 0 }
    }
    return undefined
  }
}

/** Returns the place where a value begins: of a list or map, its first item, which may be lines below the key. */
function firstPlace({ at, parts }: Located): Location {
  const [first] = parts?.values() ?? []
  return first?.at ?? at
}

/** Returns the effect of a merge patch on an option: a value, its removal, or nothing. */
function whatItSays(patch: Located, path: OptionPath): Located | 'none' | 'nothing' {
  if (patch.value === null) return 'none'
  const [step, ...rest] = path
  if (step === undefined) return patch
  const part = partOf(patch, String(step))
  // A list replaces another as a whole, so a field of an item that it leaves out stands nowhere else.
  if (isList(patch.value)) {
    return part === undefined ? 'none' : { value: part.value, at: locationAt(part, rest.map(String)) }
  }
  if (!isValueMap(patch.value)) return 'none'
  return part === undefined ? 'nothing' : whatItSays(part, rest)
}
