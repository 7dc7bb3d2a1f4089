import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { SigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { CommitServerSettings } from './settings.ts'

/**
 * Opens the keys that sign commits; undefined if no setting names one.
 * @throws the error of the first key that cannot be used
 */
export async function openSigning(
  settings: Pick<CommitServerSettings, 'signingKeyPath' | 'signingKeyPassphraseFile' | 'signingAgentSocket'>,
  logger: Logger,
): Promise<SigningKeys | undefined> {
  const {
    signingKeyPath,
    signingKeyPassphraseFile: passphraseFile,
    signingAgentSocket: agentSocket,
  } = settings
  if (signingKeyPath === undefined) {
    if (passphraseFile === undefined && agentSocket === undefined) return undefined
    const given =
      passphraseFile === undefined ? 'WADI_SIGNING_AGENT_SOCKET' : 'WADI_SIGNING_KEY_PASSPHRASE_FILE'
    throw new InvalidInputError(
      `${given} is set without WADI_SIGNING_KEY_PATH; name the key there, or unset it`,
    )
  }
  const { openSigningKeys } = await import('@wadi/signatures/signing/signing-keys.ts')
  const entry = {
    setting: 'WADI_SIGNING_KEY_PATH',
    keyPath: signingKeyPath,
    passphraseFile,
    agentSocket,
    isFor: () => true,
  }
  return openSigningKeys([entry], (message) => logger.warn(message))
}
