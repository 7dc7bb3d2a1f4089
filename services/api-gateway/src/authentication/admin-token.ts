import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'

const minLength = 32

/**
 * The administrator's token: the given one, else that of a file which only this user may read and which is made when
 * there is none.
 * @throws InvalidInputError for a given token that is too short to be safe
 */
export async function readAdminToken(given: string | undefined, file: string): Promise<string> {
  if (given !== undefined) {
    if (given.length < minLength) {
      throw new InvalidInputError(
        `WADI_ADMIN_TOKEN has ${given.length} characters; at least ${minLength} are needed`,
      )
    }
    return given
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, `${newAdminToken()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
}

/** A token that cannot be guessed. */
export function newAdminToken(): string {
  return `wadi_${randomBytes(32).toString('base64url')}`
}
