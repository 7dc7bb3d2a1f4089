import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { NamedSchema } from '@wadi/params/schema/schema.ts'
import { fromJson } from '@wadi/params/values/value-json.ts'
import { pathInRepository, readText } from '../definition/package-files.ts'
import type { PackageFiles } from '../definition/package-files.ts'

/** Objects and lists inside one another in a schema. */
const maxDepth = 200

/**
 * Reads a schema that a file in `directory` names.
 *
 * @throws NotFoundError when it is missing.
 * @throws InvalidInputError when it is not JSON.
 * @throws ResourceExhaustedError when it is too large or nested too deeply.
 */
export async function readSchemaFile(
  files: PackageFiles,
  directory: string,
  path: string,
): Promise<NamedSchema> {
  const where = pathInRepository(directory, path)
  const text = await readText(files, where).catch((cause: unknown) => {
    throw cause instanceof NotFoundError
      ? new NotFoundError(`unable to access schema file ${where}`, { cause })
      : cause
  })
  requireShallow(text, where)
  try {
    return { where, schema: fromJson(JSON.parse(text)) }
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new InvalidInputError(`the schema is not valid JSON: ${cause.message}`, {
        at: { file: where },
        cause,
      })
    }
    throw cause
  }
}

function requireShallow(text: string, where: string): void {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > maxDepth) {
      throw new ResourceExhaustedError(`the schema is nested more than ${maxDepth} levels deep: flatten it`, {
        at: { file: where },
      })
    }
  }
}
