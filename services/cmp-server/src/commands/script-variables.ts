import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type EnvironmentVariable, variableBytes } from '../environment/request-variables.ts'

/** Linux allows 128 KiB for each word of a command, and less than that leaves room for what is around it. */
const maxWordBytes = 120 * 1024

const maxBytes = 1024 * 1024

/**
 * The environment that a script is given, of which the last of a name applies.
 * @throws InvalidInputError for a variable that no process can have, ResourceExhaustedError above 120 KiB for one and
 *   1 MiB for all
 */
export function scriptVariables(given: readonly EnvironmentVariable[]): Map<string, string> {
  const variables = new Map<string, string>()
  let bytes = 0
  for (const { name, value } of given) {
    if (!/^[A-Za-z_]\w*$/.test(name) || value.includes('\0')) {
      throw new InvalidInputError(
        `variable ${JSON.stringify(name.slice(0, 300))} of a script: a name has letters, digits and underscores, and a value no NUL`,
      )
    }
    const size = variableBytes(name, value)
    bytes += size
    if (size > maxWordBytes)
      throw new ResourceExhaustedError(`variable ${name} of a script is larger than 120 KiB`)
    if (bytes > maxBytes) throw new ResourceExhaustedError('the variables of a script are larger than 1 MiB')
    variables.set(name, value)
  }
  return variables
}

/**
 * Checks that a shell can be given a text.
 * @throws InvalidInputError for a NUL, ResourceExhaustedError above 120 KiB
 */
export function checkScriptText(text: string): void {
  if (text.includes('\0')) throw new InvalidInputError('a script has no NUL in it')
  if (Buffer.byteLength(text) > maxWordBytes) {
    throw new ResourceExhaustedError(
      'a script may have at most 120 KiB; put a longer one into a file of the repository',
    )
  }
}
