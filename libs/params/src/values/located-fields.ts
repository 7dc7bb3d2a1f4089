import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { TypedFields } from '@wadi/fields/typed-fields.ts'
import { locatedView } from './located-view.ts'
import type { Located } from './value.ts'

/**
 * Returns a reader of located objects that throws the first thing that is wrong, an InvalidInputError with place and path.
 * @param subject stands in front of the path in messages, for example `Render`; empty where the file says enough
 */
export function locatedFields(subject = ''): TypedFields<Located, Located> {
  return new TypedFields(locatedView, ({ message, path, node }) => {
    const reason = subject === '' ? message : `${subject}: ${message}`
    throw new InvalidInputError(reason, { at: node?.at, path })
  })
}
