import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { parse } from 'lossless-json'

/**
 * Reads JSON and lets the caller make each number from its text. Of keys that an object has twice the last one applies.
 *
 * A reviver of JSON.parse is given these texts as well, but V8 corrupts its memory in doing so: some broken texts, read a few
 * hundred times, end the process.
 * @throws InvalidInputError with the position if the text is not JSON, or nested too deeply; and what `numberOf` throws
 */
export function parseJsonNumbers(text: string, numberOf: (text: string) => unknown): unknown {
  try {
    return parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue })
  } catch (cause) {
    if (cause instanceof RangeError) throw new InvalidInputError('the JSON is nested too deeply', { cause })
    if (cause instanceof SyntaxError) throw new InvalidInputError(errorMessage(cause), { cause })
    throw cause
  }
}
