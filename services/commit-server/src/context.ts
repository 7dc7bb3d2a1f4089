import type { ForgeClient } from '@wadi/forges/forge-client.ts'
import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import type { SigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import type { CommitServerEvents } from './events.ts'
import type { ForgeFailures } from './forges/forge-failures.ts'
import type { RepositoryWriters } from './push/repository-writers.ts'

/** The context of the RPCs of commit-server. */
export interface CommitServerContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
  trees: TreeCache
  writers: RepositoryWriters
  forges: ForgeClient
  forgeFailures: ForgeFailures
  remoteRefs: RemoteRefsCache
  events: CommitServerEvents
  /** The keys that sign commits; undefined to sign none. */
  signing: SigningKeys | undefined
  /** True if each signed commit is attested, too. */
  attests: boolean
  /** Most bytes of manifests that one commit may have. */
  maxCommitBytes: number
}
