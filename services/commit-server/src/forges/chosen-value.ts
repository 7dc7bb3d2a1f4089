import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * One of the values that a field of a request may have.
 * @throws InvalidInputError
 */
export function chosenValue<Value extends string>(
  field: string,
  given: string,
  values: readonly Value[],
): Value {
  const found = values.find((value) => value === given)
  if (found !== undefined) return found
  throw new InvalidInputError(`${field} ${JSON.stringify(given)} is not one of ${values.join(', ')}`)
}
