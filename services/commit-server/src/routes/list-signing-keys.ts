import type { ListSigningKeysRequest } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import type { CommitServerContext } from '../context.ts'

/** Lists the public keys of hydrated commits; none where nothing is signed. */
export function listSigningKeys({ signing }: Pick<CommitServerContext, 'signing'>) {
  return async ({ project, repoUrl }: ListSigningKeysRequest) => {
    const keys = (await signing?.list({ project, repoUrl })) ?? []
    return {
      keys: keys.map(({ expiresAt, ...key }) => ({
        ...key,
        expiresAt: expiresAt === undefined ? '' : new Date(expiresAt).toISOString(),
      })),
    }
  }
}
