import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { MirrorPool } from './mirror-pool.ts'
import { readRepositorySecret, type RepositorySecret, secretTypeLabel } from './repository-secret.ts'
import { RepositoryStore } from './repository-store.ts'

/** A store of repositories and their mirrors in a temporary directory, with the objects behind it. */
export async function openRepositories(
  purpose: 'read' | 'write' = 'read',
  allowedNetworks: readonly string[] = ['127.0.0.0/8'],
  pool: Partial<ConstructorParameters<typeof MirrorPool>[0]> = {},
) {
  await using owned = new AsyncDisposableStack()
  const scratch = await mkdtemp(join(tmpdir(), 'wadi-repositories-'))
  owned.defer(() => rm(scratch, { recursive: true, force: true }))
  const objects = owned.use(openSqliteStore({ file: join(scratch, 'credentials.db') }))
  const repositories = new RepositoryStore(objects, purpose)
  const policy = { allowFile: false, allowPlainHttp: 'loopback' } as const
  const mirrors = owned.use(
    new MirrorPool({
      directory: join(scratch, 'mirrors'),
      policy,
      network: createNetworkPolicy(allowedNetworks),
      repositories,
      ...pool,
    }),
  )
  const moved = owned.move()
  return { scratch, objects, repositories, mirrors, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** A Secret in Argo CD's form; its type is `repository` by default. */
export function secretObject(name: string, values: Record<string, string>, type = 'repository'): Resource {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { [secretTypeLabel]: type } },
    stringData: values,
  }
}

/** The same, read. */
export function secret(name: string, values: Record<string, string>, type = 'repository'): RepositorySecret {
  return readRepositorySecret(secretObject(name, values, type))
}
