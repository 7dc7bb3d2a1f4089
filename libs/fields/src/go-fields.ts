import { z } from 'zod'
import { unknownField } from './field-findings.ts'
import { type FieldPlaces, pathIn } from './field-places.ts'
import { isJsonObject } from './json-object.ts'

/** A field that is unknown, with the keys and indexes that lead to it. */
interface UnknownField {
  readonly steps: readonly PropertyKey[]
  readonly message: string
}

/** A value with its fields in the spelling of their schema. */
export interface GoFields {
  readonly value: unknown
  readonly unknown: readonly UnknownField[]
  /** Whether a field was spelled otherwise. */
  readonly isRespelled: boolean
}

/**
 * Finds the fields of a schema in a value as Go's `encoding/json` does: case does not count, of two spellings of a field the later one in the
 * order of bytes wins, and unknown fields are left out. Nothing else is checked.
 */
export function readGoFields(schema: z.ZodType, value: unknown, places: FieldPlaces): GoFields {
  const unknown: UnknownField[] = []
  let isRespelled = false

  function read(at: z.core.$ZodType, node: unknown, steps: readonly PropertyKey[]): unknown {
    if (at instanceof z.ZodOptional || at instanceof z.ZodNullable) return read(at.unwrap(), node, steps)
    if (at instanceof z.ZodArray && Array.isArray(node)) {
      return node.map((item: unknown, index) => read(at.element, item, [...steps, index]))
    }
    return at instanceof z.ZodObject && isJsonObject(node) ? readObject(at.shape, node, steps) : node
  }

  function readObject(
    shape: Readonly<Record<string, z.core.$ZodType>>,
    node: Readonly<Record<string, unknown>>,
    steps: readonly PropertyKey[],
  ): unknown {
    const names = Object.keys(shape)
    const found = new Map<string, unknown>()
    for (const key of Object.keys(node).toSorted()) {
      const name = Object.hasOwn(shape, key) ? key : names.find((one) => folded(one) === folded(key))
      const field = name === undefined ? undefined : shape[name]
      if (name === undefined || field === undefined) {
        const path = pathIn(places, [...steps, key])
        unknown.push({ steps: [...steps, key], message: unknownField(path, key, names) })
        continue
      }
      if (name !== key) isRespelled = true
      const before = found.get(name)
      const inner = read(field, node[key], [...steps, key])
      found.set(name, isJsonObject(before) && isJsonObject(inner) ? { ...before, ...inner } : inner)
    }
    return Object.fromEntries(found)
  }

  return { value: read(schema, value, []), unknown, isRespelled }
}

/** Without case, the Kelvin sign and the long s included, as Go folds them. */
function folded(name: string): string {
  return name.toLowerCase().toUpperCase()
}
