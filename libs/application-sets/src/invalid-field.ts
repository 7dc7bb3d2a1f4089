import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** The error of a field of an ApplicationSet; the path is the subject of its sentence, `spec.generators[0].list must be …`. */
export function invalidField(path: string, predicate: string): InvalidInputError {
  return new InvalidInputError(`${path} ${predicate}`, { path })
}
