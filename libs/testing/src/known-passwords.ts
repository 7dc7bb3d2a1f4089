import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'

const password = 'password-of-the-first-start'
const setAt = '2026-01-01T00:00:00Z'

/** Hashes by bcrypt with its lowest cost: to compare one costs as much as 1 in 64 comparisons with a hash that a gateway makes. */
const hashes = {
  admin: '$2b$04$cGazn4e4PILWGhb.dl51cO.Kujel69isPXIi5qN2ezp4iQFC2MdkG',
  'accounts.ann': '$2b$04$a2Anew6XJWz83r/JHSAbWu5X8pMZFnVdvBq3D2bLjoKIhmnIhLLi.',
  'accounts.bob': '$2b$04$cpWNX1EpZb4wOnL9EoeJ0uroB9GMM2QSj4zCQXxPFPFQww1hXvrZG',
}

/** The Secrets with the passwords, in a namespace of a control plane. */
export function passwordSecrets(namespace: string) {
  const ofAccounts = Object.entries(hashes).flatMap(([account, hash]): [string, string][] => [
    [`${account}.password`, hash],
    [`${account}.passwordMtime`, setAt],
  ])
  const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'argocd-initial-admin-secret': { password },
    'argocd-secret': Object.fromEntries(ofAccounts),
  }
  return Object.entries(secrets).map(([name, texts]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    data: Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
  }))
}

let made: Promise<Buffer> | undefined

/**
 * Gives accounts of a data directory their passwords before its first start: to `admin` one that the gateway would else make by chance, to
 * `ann` and `bob`, who are users only where `argocd-cm` lists them, `password of <name>`. A hash that the gateway makes takes a fifth of
 * the processor time of a mesh's start.
 */
export async function givePasswords(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'state.db')
  await writeFile(file, await (made ??= madeDatabase(file)), { mode: 0o600 })
}

/** The bytes of a database with the passwords, which is made once for a process. */
async function madeDatabase(file: string): Promise<Buffer> {
  {
    await using store = openSqliteStore({ file })
    await store.writeAll(passwordSecrets('argocd').map((resource) => ({ action: 'create', resource })))
  }
  return readFile(file)
}
