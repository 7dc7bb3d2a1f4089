import type { GetServerWayRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'

/** Returns how a server is reached that belongs to a repository. */
export function getServerWay({ repositories }: Pick<RepoServerContext, 'repositories'>) {
  return async ({ url, repoUrl, project }: GetServerWayRequest) => {
    const way = await repositories.wayFor(url, repoUrl, project)
    const { tlsCaCertificate = '', proxy = '', noProxy = '' } = way
    return { tlsCaCertificate, proxy, noProxy }
  }
}
