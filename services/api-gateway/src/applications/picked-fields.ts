import type { JsonObject } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

const maxFields = 100

/** The selected parts of a map: a whole field, or parts of it. */
type Wanted = Map<string, Wanted | 'whole'>

/**
 * Returns what leaves of an object the fields with these paths, such as `metadata.name`; without paths it leaves all.
 * @throws InvalidInputError for a path with an empty name, and for more than 100
 */
export function fieldPicker(paths: readonly string[]): (object: JsonObject) => JsonObject {
  if (paths.length === 0) return (object) => object
  if (paths.length > maxFields) throw new InvalidInputError(`fields: at most ${maxFields} are allowed`)
  const wanted: Wanted = new Map()
  for (const path of paths) add(wanted, path)
  return (object) => picked(object, wanted)
}

function add(wanted: Wanted, path: string): void {
  const names = path.split('.')
  if (names.includes('')) {
    throw new InvalidInputError(`fields: ${JSON.stringify(path)} has an empty name; write metadata.name`)
  }
  let map = wanted
  for (const [index, name] of names.entries()) {
    const inside = map.get(name)
    if (inside === 'whole') return
    if (index === names.length - 1) map.set(name, 'whole')
    else if (inside) map = inside
    else map.set(name, (map = new Map()))
  }
}

function picked(object: JsonObject, wanted: Wanted): JsonObject {
  const parts: JsonObject = {}
  for (const [name, inside] of wanted) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined
    if (value === undefined) continue
    if (inside === 'whole') parts[name] = value
    else if (isJsonObject(value)) parts[name] = picked(value, inside)
  }
  return parts
}
