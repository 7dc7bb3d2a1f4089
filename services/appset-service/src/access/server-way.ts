import type { Client } from '@connectrpc/connect'
import type { ForgeAccess } from '@wadi/application-sets/forges/forge-access.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/** Asks repo-server, which has the Secrets of repositories, how the APIs of their forges are reached. */
export function wayByRepoServer(
  repoServer: Pick<Client<typeof RepoServerService>, 'getServerWay'>,
): NonNullable<ForgeAccess['wayTo']> {
  return async (asked, signal) => {
    const { tlsCaCertificate, proxy, noProxy } = await repoServer.getServerWay(asked, { signal })
    return {
      ...(tlsCaCertificate !== '' && { tlsCaCertificate }),
      ...(proxy !== '' && { proxy }),
      ...(noProxy !== '' && { noProxy }),
    }
  }
}
