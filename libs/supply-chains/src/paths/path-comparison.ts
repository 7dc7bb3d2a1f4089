import { Float } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { PathError } from './path-error.ts'

/**
 * Tells whether two scalars of one type compare as the operator of a filter asks.
 *
 * @throws PathError in the words of Kubernetes, for other values and for operators that there are not.
 */
export function isFulfilled(left: Value, operator: string, right: Value): boolean {
  const order = compare(left, right)
  switch (operator) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
    default:
      throw new PathError(`evaluate: failed to find results: unrecognized filter operator ${operator}`)
  }
}

/** Returns a negative number, 0 or a positive number for scalars of one type. */
function compare(left: Value, right: Value): number {
  const [one, other] = [scalar(left), scalar(right)]
  const isNumeric = typeof one !== 'string' && typeof other !== 'string' && typeof one !== 'boolean'
  if (typeof one !== typeof other && (!isNumeric || typeof other === 'boolean')) {
    throw new PathError('evaluate: failed to find results: incompatible types for comparison')
  }
  return one < other ? -1 : one > other ? 1 : 0
}

function scalar(value: Value): string | number | bigint | boolean {
  if (value instanceof Float) return value.value
  if (value === null || typeof value === 'object') {
    throw new PathError('evaluate: failed to find results: invalid type for comparison')
  }
  return value
}
