import type { AnySchemaObject, ValidateFunction } from 'ajv'
import { errorText } from './error-text.ts'
import { compileSchema } from './schema-drafts.ts'
import { memberAt, pathOf, plainValue } from './schema-json.ts'
import type { Path } from '../values/path.ts'
import type { Value } from '../values/value.ts'

/** One thing that a schema says is wrong with a value. */
interface SchemaFault {
  /** Leads to the value that is wrong; positions in lists as numbers. */
  path: readonly (string | number)[]
  /** The keyword of the schema that rejects it. */
  keyword: string
  /** The error without its path: `Invalid type. Expected: string, given: integer`. */
  text: string
  /** Leads to the property that may not be there, or else to the value. */
  place: Path
}

const maxFaults = 1000

/**
 * Returns a check by a schema of draft 2020-12 that Wadi brings itself: it is trusted, compiled at the first check and
 * kept. For schemas that others wrote there is `validate`.
 */
export function knownSchema(schema: () => AnySchemaObject): (value: Value) => SchemaFault[] {
  let check: ValidateFunction | undefined
  return (value) => {
    check ??= compileSchema(schema(), '2020-12')
    const plain = plainValue(value)
    const errors = check(plain) ? [] : (check.errors ?? []).slice(0, maxFaults)
    return errors.map((error) => {
      const keys = pathOf(error.instancePath)
      const path = keys.map((key, depth) =>
        Array.isArray(memberAt(plain, keys.slice(0, depth))) ? Number(key) : key,
      )
      const property: unknown = error.params['additionalProperty']
      const place = typeof property === 'string' ? [...keys, property] : keys
      const { keyword } = error
      return { path, keyword, text: errorText(error, '', memberAt(plain, keys)).trimStart(), place }
    })
  }
}
