import type { GitCredentials } from './credentials.ts'
import type { RepositoryUrl } from './repository-url.ts'

/** A repository that is contacted, and how. */
export type RemoteTarget = {
  url: RepositoryUrl
  credentials: GitCredentials
  /** The addresses to connect to; none where any will do that the name of the host leads to. */
  addresses: readonly string[]
  signal: AbortSignal
}
