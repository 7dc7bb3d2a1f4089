import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { type ListedToken, readListedTokens } from './listed-token.ts'
import { accountsSecret, type SignInObjects } from './sign-in-objects.ts'

/** The uses of an account: signing in with its password, and having API keys. */
export type Capability = 'login' | 'apiKey'

/** A local account. */
export interface Account {
  name: string
  enabled: boolean
  /** In the order in which they are listed. */
  capabilities: readonly Capability[]
  /** Hash of bcrypt; undefined when nobody set a password. */
  passwordHash: string | undefined
  /** Time at which the password was set, in whole seconds since 1970; tokens from before are no longer valid. 0 if unknown. */
  passwordSetAt: number
  /** Its API keys; empty too when the stored list cannot be read. */
  tokens: readonly ListedToken[]
}

/** The account that is always there. */
export const adminAccount = 'admin'

const accountKey = /^accounts\.([-_A-Za-z0-9]+)(?:\.enabled)?$/
const accountName = /^[-_A-Za-z0-9]+$/
const trueTexts = ['1', 't', 'T', 'TRUE', 'true', 'True']

/** Returns the accounts of the ConfigMap `argocd-cm` and `admin`, sorted by name. */
export function allAccounts(objects: SignInObjects): Account[] {
  const names = Object.keys(objects.config).map((key) => accountKey.exec(key)?.[1])
  const unique = new Set([adminAccount, ...names.filter((name) => name !== undefined)])
  return [...unique].toSorted().flatMap((name) => findAccount(objects, name) ?? [])
}

/** Returns the account of a name. */
export function findAccount(objects: SignInObjects, name: string): Account | undefined {
  const config = new Map(Object.entries(objects.config))
  const listed = config.get(`accounts.${name}`)
  const enabledText = config.get(`accounts.${name}.enabled`)
  const isAdmin = name === adminAccount
  const isListed = listed !== undefined || enabledText !== undefined
  if (!isAdmin && !(isListed && accountName.test(name))) return undefined
  const switches = [enabledText, isAdmin ? config.get('admin.enabled') : undefined]
  const secret = objects.secret(accountsSecret)
  const hash = secret.get(accountSecretKey(name, 'password'))?.trim()
  return {
    name,
    enabled: switches.every((text) => text === undefined || trueTexts.includes(text.trim())),
    capabilities: [...new Set([...(isAdmin ? (['login'] as const) : []), ...capabilitiesOf(listed ?? '')])],
    passwordHash: hash === '' ? undefined : hash,
    passwordSetAt: secondsOf(secret.get(accountSecretKey(name, 'passwordMtime')) ?? ''),
    tokens: readListedTokens(parsed(secret.get(accountSecretKey(name, 'tokens')) ?? '')) ?? [],
  }
}

/** @throws NotFoundError when there is no account of the name */
export function requireAccount(objects: SignInObjects, name: string): Account {
  const account = findAccount(objects, name)
  if (account) return account
  throw new NotFoundError(`account '${name}' does not exist`)
}

/** Returns the key of `argocd-secret` that holds something of an account. */
export function accountSecretKey(name: string, what: 'password' | 'passwordMtime' | 'tokens'): string {
  return name === adminAccount ? `admin.${what}` : `accounts.${name}.${what}`
}

function capabilitiesOf(text: string): Capability[] {
  const words = text.split(',').map((word) => word.trim())
  return words.filter((word): word is Capability => word === 'login' || word === 'apiKey')
}

/** A moment between two seconds is rounded to the later one, so that tokens from before it are surely older. */
function secondsOf(text: string): number {
  const milliseconds = Date.parse(text.trim())
  return Number.isNaN(milliseconds) ? 0 : Math.ceil(milliseconds / 1_000)
}

/** Returns what JSON text says: nothing for an empty text, the text itself when it is not JSON. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
