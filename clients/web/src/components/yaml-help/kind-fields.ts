import table from './kind-fields.json' with { type: 'json' }

/** A kind of object whose fields are known. */
export type KnownKind = 'Application' | 'ApplicationSet' | 'AppProject'

/** A field of an object. */
interface Field {
  /** `string`, `boolean`, `number`, `any`, or the name of an object; `[]` behind it for a list, `{}` for a map. */
  type: string
  /** The purpose; empty for nothing more than its name. */
  text: string
}

type Fields = Readonly<Record<string, Field>>

const fieldsByType = new Map(
  Object.entries<Record<string, string[]>>(table).map(([type, fields]) => [type, readFields(fields)]),
)

function readFields(fields: Record<string, string[]>): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [type = 'any', text = '']]) => [name, { type, text }]),
  )
}

/** Returns the fields of an object by the name of its type; undefined for a type without fields. */
export function fieldsOf(type: string): Fields | undefined {
  return fieldsByType.get(type)
}

/** Returns the type of the items of a list; undefined for another type. */
export function itemTypeOf(type: string): string | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined
}

/** Returns the type of the values of a map; undefined for another type. */
export function valueTypeOf(type: string): string | undefined {
  return type.endsWith('{}') ? type.slice(0, -2) : undefined
}

/** Returns the field at a path of an object, `[]` for an item of a list; undefined where none is known. */
export function fieldAt(kind: KnownKind, path: readonly string[]): Field | undefined {
  return path.reduce<Field | undefined>(
    (field, step) => {
      if (!field) return undefined
      const inside = step === '[]' ? itemTypeOf(field.type) : valueTypeOf(field.type)
      if (inside !== undefined) return { type: inside, text: field.text }
      const fields = fieldsOf(field.type)
      return fields && Object.hasOwn(fields, step) ? fields[step] : undefined
    },
    { type: kind, text: '' },
  )
}

/** Returns the values that the text of a field names: those of `type is \`a\`, \`b\` or \`c\`.`; and of a boolean both. */
export function valuesOf({ type, text }: Field): string[] {
  if (type === 'boolean') return ['true', 'false']
  const [, list = ''] = /^\S+ is ((?:`[^`]+`(?:, | or )?)+)\.?$/.exec(text) ?? []
  return Array.from(list.matchAll(/`([^`]+)`/g), ([, value = '']) => value)
}
