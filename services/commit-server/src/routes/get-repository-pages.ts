import { repositoryPages } from '@wadi/forges/forge-pages.ts'
import type { GetRepositoryPagesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { CommitServerContext } from '../context.ts'
import { knownForge } from '../forges/known-forge.ts'

/** Returns where a forge shows what is in a repository; nothing for a forge that is not known. */
export function getRepositoryPages({ repositories }: Pick<CommitServerContext, 'repositories'>) {
  return async ({ repoUrl, project }: GetRepositoryPagesRequest) => {
    const secret = selectSecret(await repositories.list(), repoUrl, project)
    return repositoryPages(repoUrl, knownForge(repoUrl, secret)) ?? {}
  }
}
