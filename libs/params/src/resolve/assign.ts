import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { fitsInt64, parseDecimalInteger } from '@wadi/manifests/go-number.ts'
import { locatedMap } from '../values/located.ts'
import { mergeLocated } from './merge-located.ts'
import { formatPath, parseKeyPath, quoted } from '../values/path.ts'
import type { Path } from '../values/path.ts'
import { copyMap, copyValue, mergeInto, typeName } from '../values/value-tree.ts'
import type { OwnMap } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located, Value } from '../values/value.ts'

/**
 * Returns a copy of the tree with a value at a path. Maps on the way are made when missing; a map is merged into a map,
 * everything else replaced.
 *
 * @throws InvalidInputError when the path leads through something that is not a map, or the root would be none.
 */
export function setPath(tree: Value, path: Path, value: Value): Value {
  const copy = copyMap(rootMap(tree))
  assign(copy, path, value)
  return copy
}

/** Does the same as {@link setPath} with a map of one's own, and so without a copy of the tree. */
export function assign(tree: OwnMap, path: Path, value: Value): void {
  const last = path.at(-1)
  if (last === undefined) return mergeInto(tree, rootMap(value))
  let current = tree
  for (const [depth, key] of path.slice(0, -1).entries()) {
    const next = current.get(key) ?? (current.has(key) ? null : new Map<string, Value>())
    if (!isValueMap(next)) throw conflict(path.slice(0, depth + 1), next)
    current.set(key, next)
    current = next as OwnMap
  }
  const present = current.get(last)
  if (isValueMap(value) && isValueMap(present)) mergeInto(present as OwnMap, value)
  else current.set(last, copyValue(value))
}

function rootMap(value: Value): ReadonlyMap<string, Value> {
  if (isValueMap(value)) return value
  throw new InvalidInputError(`cannot merge non-map value at root path: it is ${typeName(value)}`)
}

function conflict(path: Path, found: Value): InvalidInputError {
  return new InvalidInputError(
    `conflict at ${JSON.stringify(path.join('.'))}, expected map but got ${typeName(found)}`,
  )
}

/** Does the same as {@link setPath} and keeps where each part is written. */
export function setLocated(tree: Located, path: Path, value: Located): Located {
  setPath(tree.value, path, value.value)
  return mergeLocated(tree, locatedBelow(path, value))
}

/** Returns the value at a path of a tree that holds nothing else; the maps on the way are written where the value is. */
export function locatedBelow(path: Path, value: Located): Located {
  return path.reduceRight<Located>((below, key) => locatedMap(new Map([[key, below]]), value.at), value)
}

/** One setting of a list of settings. */
export interface Assignment {
  path: Path
  value: Value
}

/**
 * Reads settings as they are given to `--set-values`, `KEY=VALUE` or several with commas between, in the order in which
 * they are written. A key may lack its leading dot. See {@link inferScalar} for values.
 *
 * @throws InvalidInputError when a text is not a setting.
 */
export function parseSetValues(texts: readonly string[]): readonly Assignment[] {
  return texts.flatMap((text) => splitSettings(text)).map(parseSetting)
}

/** A text with a single `=` is one setting; one with more is a record of comma-separated values, as Zarf's flags are. */
function splitSettings(text: string): string[] {
  return text.indexOf('=') === text.lastIndexOf('=') ? [text.replaceAll(/^"+|"+$/g, '')] : splitRecord(text)
}

function splitRecord(text: string): string[] {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/y
  for (;;) {
    const match = field.exec(text)
    if (match === null) throw new InvalidInputError(`${quoted(text)}: quotes must enclose a whole KEY=VALUE`)
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '') return fields
  }
}

function parseSetting(text: string): Assignment {
  const equals = text.indexOf('=')
  if (equals === -1 || text.slice(0, equals).trim() === '')
    throw new InvalidInputError(`${quoted(text)} must be formatted as key=value`)
  const key = text.slice(0, equals).trim()
  return {
    path: parseKeyPath(key.startsWith('.') ? key : `.${key}`),
    value: inferScalar(text.slice(equals + 1)),
  }
}

/**
 * Returns what a value means that is given as text: `true` and `false` in any case, decimal integers of 64 bits without
 * leading zeros, text otherwise; single quotes around it make everything text.
 */
export function inferScalar(text: string): Value {
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1)
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  const integer = /^(?:0|-?[1-9][0-9]{0,18})$/.test(text) ? BigInt(text) : undefined
  if (integer === undefined || !fitsInt64(integer)) return text
  return parseDecimalInteger(text) ?? text
}

/**
 * Applies settings in their order to an empty map; all parts of the result are written at one place.
 *
 * @throws InvalidInputError when a setting leads through the scalar that an earlier one set.
 */
export function applySetValues(settings: readonly Assignment[], at: Location): Located {
  const tree: OwnMap = new Map()
  for (const { path, value } of settings) {
    try {
      assign(tree, path, value)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      const place = `${formatLocation(at)}: set value ${formatPath(path)}`
      throw new InvalidInputError(`${place}: ${errorMessage(error)}`, { cause: error })
    }
  }
  return { value: tree, at }
}
