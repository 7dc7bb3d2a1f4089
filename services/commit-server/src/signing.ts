import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { SigningKeyEntry, SigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { CommitServerSettings } from './settings.ts'

type SigningSettings = Pick<
  CommitServerSettings,
  'signingKeyPath' | 'signingKeyPassphraseFile' | 'signingAgentSocket' | 'signingKeys'
>

/**
 * Opens the keys that sign commits; undefined if no setting names one.
 * @throws the error of the first key that cannot be used
 */
export async function openSigning(
  settings: SigningSettings,
  logger: Logger,
): Promise<SigningKeys | undefined> {
  const usual = usualKey(settings)
  const { signingKeys } = settings
  if (usual === undefined && signingKeys === undefined) return undefined
  const listed = signingKeys === undefined ? [] : await readList(signingKeys)
  const { openSigningKeys } = await import('@wadi/signatures/signing/signing-keys.ts')
  const keys = await openSigningKeys(usual ? [...listed, usual] : listed, (message) => logger.warn(message))
  for (const { scheme, fingerprint, signs } of await keys.list({ project: '', repoUrl: '' })) {
    if (signs) logger.info({ scheme, fingerprint }, 'hydrated commits are signed')
  }
  return keys
}

async function readList(text: string): Promise<SigningKeyEntry[]> {
  const { readSigningKeyList } = await import('@wadi/signatures/signing/signing-key-list.ts')
  return readSigningKeyList(text, 'WADI_SIGNING_KEYS')
}

/** Returns the key for all commits; undefined for none. */
function usualKey({
  signingKeyPath: keyPath,
  signingKeyPassphraseFile: passphraseFile,
  signingAgentSocket: agentSocket,
}: SigningSettings): SigningKeyEntry | undefined {
  if (keyPath !== undefined) {
    const ofAll = { projects: [], repositories: [], isFor: () => true }
    return { setting: 'WADI_SIGNING_KEY_PATH', keyPath, passphraseFile, agentSocket, ...ofAll }
  }
  if (passphraseFile === undefined && agentSocket === undefined) return undefined
  const given =
    passphraseFile === undefined ? 'WADI_SIGNING_AGENT_SOCKET' : 'WADI_SIGNING_KEY_PASSPHRASE_FILE'
  throw new InvalidInputError(
    `${given} is set without WADI_SIGNING_KEY_PATH; name the key there, or unset it`,
  )
}
