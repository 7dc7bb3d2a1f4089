import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unknownField } from '@wadi/fields/field-findings.ts'
import { gpgKeysConfigMap, sshSignersConfigMap } from '@wadi/hydration/source-verification.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { readAllowedSigners, readRevokedKeys } from '@wadi/signatures/allowed-signers.ts'
import type { GatewayContext } from '../context.ts'
import { readEntries } from './stored-keys.ts'

const signerFields = ['allowed_signers', 'revoked_keys']

/** Returns true for the ConfigMaps with the keys that verify signatures. */
export function holdsKeys({ kind, metadata }: Resource): boolean {
  return kind === 'ConfigMap' && [gpgKeysConfigMap, sshSignersConfigMap].includes(metadata.name)
}

/**
 * Checks a ConfigMap with keys before it is stored.
 * @throws InvalidInputError that names each entry or line that cannot be used
 */
export async function checkKeys(
  context: Pick<GatewayContext, 'repoServer'>,
  { metadata, data = {} }: Resource,
  signal: AbortSignal,
): Promise<void> {
  if (metadata.name === gpgKeysConfigMap) {
    const keys = await readEntries(context, data, signal)
    const errors = keys.filter(({ error }) => error !== '').map(({ keyId, error }) => `${keyId}: ${error}`)
    if (errors.length > 0) throw new InvalidInputError(`${gpgKeysConfigMap}: ${errors.join('; ')}`)
    return
  }
  const unknown = Object.keys(data).find((field) => !signerFields.includes(field))
  if (unknown !== undefined) {
    const reason = unknownField(`data.${unknown}`, unknown, signerFields)
    throw new InvalidInputError(reason, { context: [sshSignersConfigMap] })
  }
  readAllowedSigners(data['allowed_signers'] ?? '')
  readRevokedKeys(data['revoked_keys'] ?? '')
}
