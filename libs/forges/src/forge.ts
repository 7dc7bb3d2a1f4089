import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import type { PullRequestSource, RepositorySource } from './forge-answers.ts'
import type { ForgeApi } from './forge-api.ts'
import type { ForgeAccount, ForgeProtocol } from './forge-protocol.ts'
import type { PullRequestForge } from './pull-requests/pull-request-forge.ts'

/** Credentials of git for a repository, as its Secret has them. */
export interface GitSignIn {
  readonly forgeToken?: string
  readonly bearerToken?: string
  readonly username?: string
}

/** Pages of a repository, relative to its own; `{sha}`, `{branch}` and `{path}` stand for encoded values. */
export interface ForgePages {
  readonly commit: string
  readonly branch: string
  /** File at a commit. */
  readonly file: string
  /** Directory at a commit. */
  readonly directory: string
  /** Suffix of the address of a file for one of its lines, with `{line}`. */
  readonly line: string
  /** Page that opens a pull request. */
  readonly pullRequest: (from: string, to: string) => string
  /** Path of the page of a repository; by default that of its clone URL. */
  readonly repository?: (path: string) => string
}

/** The things that a generator lists on a forge, and the fields of the generator about them. */
export interface GeneratorSource<Source> {
  /** Field of the generator with the options of this forge, such as `github`. */
  readonly field: string
  /** Field of the options with the reference to the token; `tokenRef` by default. */
  readonly tokenField?: string
  /** Reads the options and reports invalid ones; `at` is where they are, such as `github.`. */
  readonly read: (
    reader: FieldReader,
    options: Record<string, unknown>,
    at: string,
  ) => (api: ForgeApi) => Source
}

/** One kind of forge: everything that differs between them. */
export interface Forge extends ForgeProtocol {
  /** Other names that the field `forge` of a Secret may have. */
  readonly aliases?: readonly string[]
  /** Field of a Secret that only repositories of this forge have. */
  readonly ownField?: string
  /** Hosts that are certainly this forge: their API is asked without further settings. */
  readonly hosts: RegExp
  /** Hosts that are probably this forge, which is enough for links of the console. */
  readonly likelyHosts: RegExp
  /** Address of the public API; empty if every installation has its own. */
  readonly defaultApi: string
  /** Address of the API for repositories of a host; by default that host. */
  readonly apiOfHost?: (host: string) => string | undefined
  /** Part of the path for the version, which an API address may omit. */
  readonly versionPath: (host: string) => string
  /** Path of a repository in the forge, by the path of its clone URL without slashes at the ends and `.git`. */
  readonly repositoryPath?: (path: string, host: string) => string
  /** By default the token alone. */
  readonly account?: (signIn: GitSignIn, token: string) => ForgeAccount
  readonly pages: ForgePages
  /**
   * Opens one repository.
   * @param repository its path, such as `team/shop`
   * @throws FailedPreconditionError with the code `no-forge` for a path that no repository of the forge has
   */
  readonly open: (api: ForgeApi, repository: string) => Promise<PullRequestForge>
  /** Repositories for the generator scmProvider; undefined where it cannot list them. */
  readonly repositories?: GeneratorSource<RepositorySource>
  /** Pull requests for the generator pullRequest; undefined where it cannot list them. */
  readonly pullRequests?: GeneratorSource<PullRequestSource>
}

/** Error for a repository whose pull requests cannot be reached; its code is `no-forge`. */
export function noForge(reason: string): FailedPreconditionError {
  return new FailedPreconditionError(reason, { code: 'no-forge' })
}

/**
 * Splits the path of a repository.
 * @param most the largest number of parts; 2 by default
 * @throws FailedPreconditionError with the code `no-forge` for a path with fewer than two parts, more, or an empty one
 */
export function repositoryParts(
  { name }: Forge,
  repository: string,
  most = 2,
): [string, string, ...string[]] {
  const parts = repository.split('/')
  const [first, second, ...others] = parts
  if (first === undefined || second === undefined || parts.length > most || parts.includes('')) {
    throw noForge(`${repository} is not the path of a repository of ${name}`)
  }
  return [first, second, ...others]
}

/** Account for a forge that takes the user and password of git, or a token alone. */
export function accountOfGit({ forgeToken, bearerToken, username }: GitSignIn, token: string): ForgeAccount {
  const isAlone = forgeToken || bearerToken || username === 'x-token-auth'
  return { token, username: isAlone ? undefined : username }
}
