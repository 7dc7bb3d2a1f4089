import { join } from 'node:path'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'

const password = 'password-of-the-first-start'
const passwordHash = '$2b$10$w3eNVebc7g9.6CoNWrLNt.QS2vp2T2sR8jHjzWI3TntwZgWYF.jM2'

/**
 * Gives the account `admin` of a data directory the password that a gateway would give it at its first start, which is a random one:
 * its hash takes a fifth of the processor time of a mesh's start.
 */
export async function giveAdminPassword(dataDirectory: string): Promise<void> {
  const secrets = {
    'argocd-initial-admin-secret': { password },
    'argocd-secret': { 'admin.password': passwordHash, 'admin.passwordMtime': '2026-01-01T00:00:00Z' },
  }
  await using store = openSqliteStore({ file: join(dataDirectory, 'state.db') })
  const resources = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'argocd' },
    stringData,
  }))
  await store.writeAll(resources.map((resource) => ({ action: 'create', resource })))
}
