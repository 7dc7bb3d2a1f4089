import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { AlreadyExistsError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { accountSecretKey, adminAccount, findAccount } from './account.ts'
import { passwordHash, putPassword } from './password.ts'
import { accountsSecret, type SignInObjects } from './sign-in-objects.ts'

/** Secret with the password that the account `admin` began with, as Argo CD has it. */
const initialPasswordSecret = 'argocd-initial-admin-secret'

/**
 * Returns the password that the account `admin` began with, until it is changed; undefined then.
 * @internal
 */
export async function initialAdminPassword(store: Pick<ResourceStore, 'get'>): Promise<string | undefined> {
  const secret = await store.get('Secret', controlPlaneNamespace, initialPasswordSecret)
  const encoded = secret?.data?.['password']
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

/**
 * Gives the account `admin` a random password unless it has one or is disabled. Gateways that start together agree on
 * one.
 */
export async function makeInitialAdminPassword(objects: SignInObjects, nowSeconds: number): Promise<void> {
  const admin = findAccount(objects, adminAccount)
  if (!admin?.enabled || admin.passwordHash !== undefined) return
  const password = await agreedPassword(objects.store)
  const newHash = await passwordHash(password)
  await objects.changeSecret(accountsSecret, (texts) => {
    if ((texts.get(accountSecretKey(adminAccount, 'password')) ?? '').trim() !== '') return
    putPassword(texts, adminAccount, newHash, nowSeconds)
  })
}

/** Forgets the password that the account `admin` began with, because it is another now. */
export async function forgetInitialAdminPassword(store: ResourceStore): Promise<void> {
  try {
    await store.delete('Secret', controlPlaneNamespace, initialPasswordSecret)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}

/** The password of whoever stored one first. */
async function agreedPassword(store: ResourceStore): Promise<string> {
  const password = randomBytes(18).toString('base64url')
  try {
    await store.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: initialPasswordSecret, namespace: controlPlaneNamespace },
      stringData: { password },
    })
    return password
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error
    return (await initialAdminPassword(store)) ?? password
  }
}
