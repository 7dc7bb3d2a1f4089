import { fieldPath } from '@wadi/fields/field-path.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { isSecret } from '@wadi/manifests/mask-secrets.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'

/** One value of a Secret. */
export interface SecretValue {
  readonly field: string
  readonly key: string
  /** The value as programs get it. */
  readonly text: string
  /** The value as the object has it: in base64 below `data`. */
  readonly raw: string
}

/** Returns the values below `data` and `stringData` of a Secret; none of another object. */
export function secretValues(manifest: Manifest): SecretValue[] {
  if (!isSecret(manifest)) return []
  return (['data', 'stringData'] as const).flatMap((name) => {
    const values = manifest[name]
    if (!isJsonObject(values)) return []
    return Object.entries(values).map(([key, value]) => {
      const raw = rawText(value)
      const text = name === 'data' ? Buffer.from(raw, 'base64').toString() : raw
      return { field: fieldPath([name, key]), key, text, raw }
    })
  })
}

function rawText(value: JsonValue): string {
  if (typeof value === 'string') return value
  return value === null || typeof value === 'object' ? '' : String(value)
}
