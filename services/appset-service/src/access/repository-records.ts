import type { Client } from '@connectrpc/connect'
import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/** A repository that an operator registered. */
export type RepositoryRecord = Pick<Repository, 'repoUrl' | 'project' | 'isPrefix'>

/** The facts that rights to repositories depend on. */
export interface RepositoryRecords {
  /** The addresses that repositories may have at all. */
  urlPolicy: UrlPolicy
  /** The registered repositories, without their secrets. */
  list(): Promise<readonly RepositoryRecord[]>
}

/** The repositories that repo-server knows; it is asked at the first use and once. */
export function repositoryRecords(
  context: { urlPolicy: UrlPolicy; repoServer: Pick<Client<typeof RepoServerService>, 'listRepositories'> },
  signal: AbortSignal,
): RepositoryRecords {
  let answer: Promise<readonly RepositoryRecord[]> | undefined
  const ask = async () => (await context.repoServer.listRepositories({}, { signal })).repositories
  return { urlPolicy: context.urlPolicy, list: () => (answer ??= ask()) }
}
