import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'

const minLength = 32

/**
 * The administrator's token: the given one, else that of a file which only this user may read and which is made when
 * there is none.
 * @throws InvalidInputError for a token that is too short to be safe, FailedPreconditionError when the folder cannot be used
 */
export async function readAdminToken(given: string | undefined, file: string): Promise<string> {
  if (given !== undefined) return longEnough(given, 'WADI_ADMIN_TOKEN')
  try {
    await makeFile(file)
  } catch (error) {
    throw unusableDirectory(dirname(file), error)
  }
  return longEnough((await readFile(file, 'utf8')).trim(), file)
}

async function makeFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // A linked file is never seen half written, whoever starts at the same time.
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, `${newAdminToken()}\n`, { flag: 'wx', mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  await chmod(file, 0o600)
}

function longEnough(token: string, source: string): string {
  if (token.length >= minLength) return token
  throw new InvalidInputError(`${source} has ${token.length} characters; at least ${minLength} are needed`)
}

/** A token that cannot be guessed. */
export function newAdminToken(): string {
  return `wadi_${randomBytes(32).toString('base64url')}`
}
