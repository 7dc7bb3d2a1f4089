import { fieldPath } from '@wadi/fields/field-path.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'

/** A string of an object. */
export interface StringField {
  readonly field: string
  /** The name that people gave the value: its key, or the `name` beside it, as environment variables have. */
  readonly label: string
  readonly text: string
  /** True for an environment variable and a key of a ConfigMap, whose names say what the value is. */
  readonly isNamed: boolean
}

/** Returns all strings of an object. */
export function objectStrings(manifest: Manifest): StringField[] {
  const { group, kind } = manifestIdentity(manifest)
  const isConfigMap = group === '' && kind === 'ConfigMap'
  return stringsBelow(manifest, []).map(({ steps, ...string }) => {
    const isData = isConfigMap && steps.length === 2 && steps[0] === 'data'
    return { ...string, field: fieldPath(steps), isNamed: string.isNamed || isData }
  })
}

interface FoundString extends Omit<StringField, 'field'> {
  readonly steps: readonly PropertyKey[]
}

function stringsBelow(value: JsonValue, steps: readonly PropertyKey[]): FoundString[] {
  if (typeof value === 'string') return [{ steps, label: String(steps.at(-1)), text: value, isNamed: false }]
  if (Array.isArray(value)) return value.flatMap((item, index) => stringsBelow(item, [...steps, index]))
  if (!isJsonObject(value)) return []
  const { name } = value
  return Object.entries(value).flatMap(([key, member]) => {
    const strings = stringsBelow(member, [...steps, key])
    if (key !== 'value' || typeof name !== 'string') return strings
    return strings.map((string) => ({ ...string, label: name, isNamed: true }))
  })
}
