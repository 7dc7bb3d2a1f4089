import { AlreadyExistsError, FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { accountSecretKey } from './account.ts'
import { type ListedToken, readListedTokens, storedToken } from './listed-token.ts'
import { accountsSecret, type SecretTexts, type SignInObjects } from './sign-in-objects.ts'

/**
 * Lists an API key with its account, so that it becomes valid.
 * @throws AlreadyExistsError when the account has one of that id
 */
export async function addApiKey(objects: SignInObjects, account: string, key: ListedToken): Promise<void> {
  await changeKeys(objects, account, (keys) => {
    if (keys.some(({ id }) => id === key.id)) {
      throw new AlreadyExistsError(`account already has token with id '${key.id}'`)
    }
    return [...keys, key]
  })
}

/**
 * Strikes an API key from the list, so that it is no longer valid.
 * @throws NotFoundError when the account has no such key
 */
export async function removeApiKey(objects: SignInObjects, account: string, keyId: string): Promise<void> {
  await changeKeys(objects, account, (keys) => {
    const others = keys.filter(({ id }) => id !== keyId)
    if (others.length < keys.length) return others
    throw new NotFoundError(`account '${account}' does not have token with id '${keyId}'`)
  })
}

async function changeKeys(
  objects: SignInObjects,
  account: string,
  change: (keys: ListedToken[]) => ListedToken[],
): Promise<void> {
  const secretKey = accountSecretKey(account, 'tokens')
  await objects.changeSecret(accountsSecret, (texts) => {
    const changed = change(storedKeys(texts, secretKey))
    texts.set(secretKey, JSON.stringify(changed.map(storedToken)))
  })
}

/** A list that cannot be read is not overwritten. */
function storedKeys(texts: SecretTexts, secretKey: string): ListedToken[] {
  const text = texts.get(secretKey)?.trim() || 'null'
  const unreadable = (cause?: unknown) =>
    new FailedPreconditionError(
      `Secret ${accountsSecret}, ${secretKey}: must be a JSON list of {"id", "iat", "exp"}; correct or remove it`,
      { cause },
    )
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    throw unreadable(error)
  }
  const keys = readListedTokens(list)
  if (keys === undefined) throw unreadable()
  return keys
}
