import { goField } from '@wadi/fields/go-fields.ts'
import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { z } from 'zod'

/** Returns a value with its fields in the spelling of their schema, as `readGoFields` finds them, each where it is written. */
export function locatedGoFields(schema: z.core.$ZodType, written: Located): Located {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return locatedGoFields(schema.unwrap(), written)
  }
  if (schema instanceof z.ZodArray && isList(written.value)) {
    const items = new Map(
      Array.from(written.parts ?? [], ([key, item]) => [key, locatedGoFields(schema.element, item)]),
    )
    return { ...written, value: Array.from(items.values(), ({ value }) => value), parts: items }
  }
  if (!(schema instanceof z.ZodObject) || !isValueMap(written.value)) return written
  const parts = new Map<string, Located>()
  for (const key of [...written.value.keys()].toSorted()) {
    const field = goField(schema, key)
    const part = field && partOf(written, key)
    if (field === undefined || part === undefined || (field.name !== key && part.value === null)) continue
    parts.set(field.name, locatedGoFields(field.schema, part))
  }
  return locatedMap(parts, written.at)
}
