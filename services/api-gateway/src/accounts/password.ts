import { compare, hash, truncates } from 'bcryptjs'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import { type Account, accountSecretKey } from './account.ts'
import { accountsSecret, type SecretTexts, type SignInObjects } from './sign-in-objects.ts'

/** That of Argo CD, so that every comparison is the same work. */
const cost = 10

/** The hash of nothing that anybody knows. */
const nobodysHash = '$2b$10$mxK8ldxlKcf.XyWGNrne4eswHIO.IHvPcuXQb2o8ecbND4.kTTWKO'

const defaultPattern = '^.{8,32}$'

/** Returns whether the password is that of the account; without an account or a password it is the same work. */
export async function isPasswordOf(account: Account | undefined, password: string): Promise<boolean> {
  const storedHash = account?.passwordHash
  // A password that bcrypt would truncate never matches.
  const isComparable = storedHash !== undefined && !truncates(password)
  const isEqual = await compare(isComparable ? password : '-', storedHash ?? nobodysHash)
  return isComparable && isEqual
}

/**
 * Makes sure that a password is one that people may choose: 8 to 32 characters, or what `passwordPattern` of `argocd-cm`
 * says.
 * @throws InvalidInputError that names the pattern
 */
export function requireGoodPassword({ config }: SignInObjects, password: string): void {
  const pattern = config['passwordPattern'] || defaultPattern
  if (truncates(password)) throw new InvalidInputError('the new password is longer than 72 bytes')
  if (password.length > 72 || !compileGoRegex(pattern)(password)) {
    throw new InvalidInputError(`new password does not match the following expression: ${pattern}`)
  }
}

/** Returns the hash of a password, to be stored. */
export async function passwordHash(password: string): Promise<string> {
  return hash(password, cost)
}

/** Gives an account a password; all of its tokens from before are no longer valid. */
export async function storePassword(
  objects: SignInObjects,
  name: string,
  newHash: string,
  nowSeconds: number,
): Promise<void> {
  await objects.changeSecret(accountsSecret, (texts) => putPassword(texts, name, newHash, nowSeconds))
}

/** Puts a password's hash among the values of `argocd-secret`. */
export function putPassword(texts: SecretTexts, name: string, newHash: string, nowSeconds: number): void {
  const timeKey = accountSecretKey(name, 'passwordMtime')
  const before = Date.parse(texts.get(timeKey) ?? '')
  // Times of tokens are whole seconds, so a token of the next second is newer than all of this one.
  const setAt = Math.max(
    Math.floor(nowSeconds) + 1,
    Number.isNaN(before) ? 0 : Math.floor(before / 1_000) + 1,
  )
  texts.set(accountSecretKey(name, 'password'), newHash)
  texts.set(timeKey, new Date(setAt * 1_000).toISOString().replace('.000Z', 'Z'))
}
