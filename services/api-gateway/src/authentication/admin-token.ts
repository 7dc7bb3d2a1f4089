import { randomBytes } from 'node:crypto'
import { chmod, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { makeFileOnce } from '@wadi/rpc/durable-file.ts'

const minLength = 32

/**
 * The administrator's token: the given one, else that of a file which only this user may read and which is made when
 * there is none.
 * @throws InvalidInputError for a token that is too short to be safe, FailedPreconditionError when the directory cannot be used
 */
export async function readAdminToken(given: string | undefined, file: string): Promise<string> {
  if (given !== undefined) return longEnough(given, 'WADI_ADMIN_TOKEN')
  const found = await stat(file, { throwIfNoEntry: false })
  if (found === undefined) await makeFileOnce(file, `${newAdminToken()}\n`)
  else if ((found.mode & 0o777) !== 0o600 && found.uid === process.geteuid?.()) await chmod(file, 0o600)
  try {
    return longEnough((await readFile(file, 'utf8')).trim(), file)
  } catch (error) {
    throw unusableDirectory(dirname(file), error)
  }
}

function longEnough(token: string, source: string): string {
  if (token.length >= minLength) return token
  throw new InvalidInputError(`${source} has ${token.length} characters; at least ${minLength} are needed`)
}

/** A token that cannot be guessed. */
export function newAdminToken(): string {
  return `wadi_${randomBytes(32).toString('base64url')}`
}
