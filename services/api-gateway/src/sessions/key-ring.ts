import { Buffer } from 'node:buffer'
import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { allAccounts } from '../accounts/account.ts'
import type { ListedToken } from '../accounts/listed-token.ts'
import { allProjectTokens } from '../accounts/project-tokens.ts'
import { readOnce } from '../accounts/read-once.ts'
import { sessionKeysSecret, type SignInObjects } from '../accounts/sign-in-objects.ts'

/** A key that signs tokens. */
export interface SessionKey {
  kid: string
  key: KeyObject
  /** In seconds since 1970. */
  createdAt: number
}

const day = 24 * 3600
const rotationSeconds = 30 * day
const keyBytes = 32

/** A new key signs nothing until every gateway has surely seen it. */
const announcementSeconds = 60

/** Maximum difference between clocks, and the time after a rotation for which a slow gateway may still sign with the old key. */
const slackSeconds = 600

/** No session token lives longer, whatever the settings say. */
export const maxTokenSeconds = day

/**
 * Returns the keys that verify tokens, oldest first; empty before the first start.
 * @throws FailedPreconditionError when the Secret cannot be read
 */
export function sessionKeys(objects: SignInObjects): readonly SessionKey[] {
  return keysOf(objects.secret(sessionKeysSecret))
}

const keysOf = readOnce(readKeys)

/** Returns the key that signs now; undefined before the first start. */
export function signingKey(objects: SignInObjects, nowSeconds: number): SessionKey | undefined {
  const keys = sessionKeys(objects)
  return keys.findLast(({ createdAt }) => createdAt + announcementSeconds <= nowSeconds) ?? keys[0]
}

/**
 * Makes the first key, and a new one when the newest is 30 days old; gateways that do it together agree. Old keys stay
 * while a token that they signed may live: a session for a day, an API key or a token of a project role as long as it is
 * listed and not expired.
 */
export async function renewKeys(objects: SignInObjects, nowSeconds: number): Promise<void> {
  if (!isDue(sessionKeys(objects), nowSeconds)) return
  const fresh: SessionKey = {
    kid: randomUUID(),
    key: createSecretKey(randomBytes(keyBytes)),
    createdAt: Math.floor(nowSeconds),
  }
  const listed = listedTokens(objects)
  await objects.changeSecret(sessionKeysSecret, (texts) => {
    const keys = readKeys(texts)
    if (!isDue(keys, nowSeconds)) return
    const all = [...keys, fresh]
    const kept = all.filter((key, index) => isNeeded(key, all[index + 1], listed, nowSeconds))
    texts.set('keys', JSON.stringify(kept.map(storedKey)))
  })
}

function isDue(keys: readonly SessionKey[], nowSeconds: number): boolean {
  const newest = keys.at(-1)
  return newest === undefined || newest.createdAt + rotationSeconds <= nowSeconds
}

function isNeeded(
  key: SessionKey,
  next: SessionKey | undefined,
  listed: readonly ListedToken[],
  nowSeconds: number,
): boolean {
  if (next === undefined) return true
  const from = key.createdAt - slackSeconds
  const until = next.createdAt + announcementSeconds + slackSeconds
  if (nowSeconds <= until + maxTokenSeconds) return true
  return listed.some(
    ({ issuedAt, expiresAt }) =>
      issuedAt >= from && issuedAt <= until && (expiresAt === 0 || expiresAt > nowSeconds),
  )
}

function listedTokens(objects: SignInObjects): ListedToken[] {
  return [
    ...allAccounts(objects).flatMap(({ tokens }) => tokens),
    ...[...objects.projects()].flatMap(allProjectTokens),
  ]
}

function readKeys(texts: ReadonlyMap<string, string>): SessionKey[] {
  const text = texts.get('keys')
  const unreadable = () =>
    new FailedPreconditionError(
      `Secret ${sessionKeysSecret} cannot be read; remove it to have a new key made, which signs everybody out`,
    )
  if (text === undefined) return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    // The error would quote the keys.
    throw unreadable()
  }
  if (!Array.isArray(list) || list.length === 0) throw unreadable()
  return list.map((item: unknown): SessionKey => {
    const { kid, key, createdAt } = isJsonObject(item) ? item : {}
    const bytes = Buffer.from(typeof key === 'string' ? key : '', 'base64url')
    if (typeof kid !== 'string' || typeof createdAt !== 'number' || bytes.length < keyBytes)
      throw unreadable()
    return { kid, key: createSecretKey(bytes), createdAt }
  })
}

function storedKey({ kid, key, createdAt }: SessionKey): Record<string, unknown> {
  return { kid, key: key.export().toString('base64url'), createdAt }
}
