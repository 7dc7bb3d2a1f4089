import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/** Longest message of a tool that is passed on, in bytes. */
const maxMessageLength = 4096

/**
 * The error for a renderer that failed because of its input.
 * @param message the tool's own, with paths relative to the repository
 */
export function toolFailure(command: string, message: string, remedy: string): InvalidInputError {
  const bytes = Buffer.from(message.trim() || 'no message')
  const bounded =
    bytes.length <= maxMessageLength
      ? bytes.toString()
      : `${bytes
          .subarray(0, maxMessageLength)
          .toString()
          .replace(/\uFFFD$/, '')}…`
  return new InvalidInputError(`${firstLine(command)} failed: ${bounded}\n${remedy}`)
}

function firstLine(command: string): string {
  const [line = ''] = command.split('\n')
  return shortened(line, 300)
}
