import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { HelmOptions } from './helm-option-schema.ts'

/** Most integers among the values of one chart. */
const maxIntegers = 5000

const maxInt64 = 2n ** 63n - 1n

/**
 * The integers of a tree of values as parameters for `--set`, which keeps them integers; in a values file Helm makes
 * floats of them, so that templates print 1000000 as 1e+06 and cannot compare 1 with 1.
 * @throws ResourceExhaustedError for more than 5,000
 */
export function integerParameters(values: Value): NonNullable<HelmOptions['parameters']> {
  const found: { name: string; value: string }[] = []
  const way: (string | number)[] = []
  const walk = (value: Value): void => {
    if (typeof value === 'number' || (typeof value === 'bigint' && fitsInt64(value))) {
      found.push({ name: parameterName(way), value: String(value) })
      if (found.length > maxIntegers) {
        throw new ResourceExhaustedError(
          `the values hold more than ${maxIntegers} integers; put them into a values file of the chart`,
        )
      }
    } else if (isValueMap(value)) {
      for (const [key, member] of value) {
        // Helm cannot set a key without a name.
        if (key === '') continue
        way.push(key)
        walk(member)
        way.pop()
      }
    } else if (isList(value)) {
      for (const [index, member] of value.entries()) {
        way.push(index)
        walk(member)
        way.pop()
      }
    }
  }
  walk(values)
  return found
}

function fitsInt64(value: bigint): boolean {
  return value <= maxInt64 && value >= -maxInt64 - 1n
}

function parameterName(way: readonly (string | number)[]): string {
  return way
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${escapeKey(step)}`))
    .join('')
    .replace(/^\./, '')
}

function escapeKey(key: string): string {
  return key.replaceAll(/[\\.,=[\]{}]/g, String.raw`\$&`)
}
