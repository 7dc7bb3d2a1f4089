import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/** Longest message of a tool that is passed on, in bytes. */
const maxMessageLength = 4096

/**
 * The error for a renderer that failed because of its input. Kustomize's warnings, which stand before its error, are left out.
 * @param message the tool's own, with paths relative to the repository
 */
export function toolFailure(command: string, message: string, remedy: string): InvalidInputError {
  const lines = message.trim().split('\n')
  const errors = lines.filter((line) => !line.startsWith('# Warning: '))
  const bytes = Buffer.from((errors.length > 0 ? errors : lines).join('\n') || 'no message')
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
