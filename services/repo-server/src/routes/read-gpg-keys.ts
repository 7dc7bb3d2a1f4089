import type { ReadGpgKeysRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openGpgKeyring } from '@wadi/signatures/gpg-keyring.ts'

/** Keys that are put into armour in one call; each takes a process. */
const maxArmoured = 100

/** Reads public GPG keys in a keyring that is gone afterwards. */
export function readGpgKeys({ keys: { verifier } }: Pick<RepoServerContext, 'keys'>) {
  return async ({ blocks, armour }: ReadGpgKeysRequest) => {
    await using keyring = await openGpgKeyring(
      verifier,
      blocks.map((block) => Buffer.from(block)),
    )
    if (armour && keyring.keys.length > maxArmoured) {
      throw new ResourceExhaustedError(
        `${keyring.keys.length} keys at once; at most ${maxArmoured} are accepted`,
      )
    }
    const keys = []
    for (const { keyId, fingerprint, type, owner, expiresAt, revoked } of keyring.keys) {
      keys.push({
        keyId,
        fingerprint,
        type,
        owner,
        expiresAt: expiresAt === undefined ? '' : new Date(expiresAt).toISOString().replace('.000Z', 'Z'),
        revoked,
        keyData: armour ? await keyring.armoured(fingerprint) : '',
      })
    }
    return { keys }
  }
}
