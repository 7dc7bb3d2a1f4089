import { type Reading, below, itemsOf, readFields } from '../reading.ts'
import { readText } from '../values/scalar.ts'

/**
 * Reads `{command, args}` as one list of arguments; undefined without a command, as in Argo CD.
 *
 * @throws InvalidInputError for other shapes and texts with a NUL.
 */
export function readCommand(
  reading: Reading,
  value: unknown,
  others: readonly string[] = [],
): string[] | undefined {
  const fields = readFields(reading, value, ['command', 'args'], others)
  const texts = (name: string) => {
    const list = below(reading, name)
    return itemsOf(list, fields.get(name)).map((item, index) => readText(below(list, index), item))
  }
  const command = texts('command')
  return command.length > 0 ? [...command, ...texts('args')] : undefined
}
