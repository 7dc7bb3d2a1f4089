import type {
  Parameter,
  ParameterOrigin,
  ParameterValue,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'

/** A value in one cell of a table: text as it is, `""` for an empty one, `[a, b]` or `{key: value}`; empty for no value. */
export function valueText(value: ParameterValue | undefined): string {
  switch (value?.kind.case) {
    case 'text':
      return value.kind.value === '' ? '""' : value.kind.value
    case 'list':
      return `[${value.kind.value.items.join(', ')}]`
    case 'map':
      return `{${value.kind.value.entries.map(({ key, value: item }) => `${key}: ${item}`).join(', ')}}`
    default:
      return ''
  }
}

/** The type of a parameter: that of a single value, `string[]` of a list, `map` of a map. */
export function typeText({ type, collection }: Parameter): string {
  const item = type || 'string'
  if (collection === 'map') return item === 'string' ? 'map' : `map of ${item}`
  return collection === 'array' ? `${item}[]` : item
}

/** Returns the origin of a value; a chart's own file is shown only with `wide`. */
export function originText(origin: ParameterOrigin | undefined, wide: boolean): string {
  if (!origin) return ''
  switch (origin.kind) {
    case 'application':
      return 'Application'
    case 'plugin':
      return 'announced'
    case 'chart':
      return wide && origin.file !== '' ? place(origin) : 'chart'
    default:
      return place(origin)
  }
}

function place({ kind, file, line }: ParameterOrigin): string {
  if (file === '') return kind
  return line > 0 ? `${file}:${line}` : file
}
