import {
  type GpgKey,
  GpgKeySchema,
  type SigningKey,
  SigningKeySchema,
} from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import { messageObject } from '../output/message-output.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** The output formats of GPG keys. */
export type GpgKeyFormat = 'wide' | 'json' | 'yaml'

/** Returns the text of several keys. */
export function gpgKeysText(keys: readonly GpgKey[], format: GpgKeyFormat): string {
  if (format !== 'wide') {
    return structuredText(
      keys.map((key) => messageObject(GpgKeySchema, key)),
      format,
    )
  }
  const rows = keys.map((key) => [key.keyId, key.type, key.owner, state(key)])
  return tableText(['KEYID', 'TYPE', 'IDENTITY', 'STATUS'], rows)
}

/** Returns the text of one key. */
export function gpgKeyText(key: GpgKey, format: GpgKeyFormat): string {
  if (format !== 'wide') return structuredText(messageObject(GpgKeySchema, key), format)
  const lines: [string, string][] = [
    ['Key ID:', key.keyId],
    ['Key fingerprint:', key.fingerprint],
    ['Key type:', key.type],
    ['Key owner:', key.owner],
    ['Key status:', state(key)],
  ]
  const block = lines.map(([name, value]) => `${name.padEnd(17)}${printable(value)}`.trimEnd())
  return `${block.join('\n')}\nKey data follows until EOF:\n${key.keyData.split('\n').map(printable).join('\n').trimEnd()}\n`
}

/** Returns the text of the keys of hydrated commits. */
export function signingKeysText(keys: readonly SigningKey[], format: GpgKeyFormat): string {
  if (format !== 'wide') {
    return structuredText(
      keys.map((key) => messageObject(SigningKeySchema, key)),
      format,
    )
  }
  const rows = keys.map(({ scheme, fingerprint, owner, signs, projects, repositories, expiresAt }) => [
    scheme,
    fingerprint,
    owner,
    projects.join(',') || '*',
    repositories.join(',') || '*',
    `${signs ? 'signs' : 'signed before'}, ${expiryText(expiresAt)}`,
  ])
  return tableText(['SCHEME', 'FINGERPRINT', 'IDENTITY', 'PROJECTS', 'REPOSITORIES', 'STATUS'], rows)
}

function state({ error, revoked, expiresAt }: GpgKey): string {
  if (error !== '') return `unusable: ${error}`
  return revoked ? 'revoked' : expiryText(expiresAt)
}

function expiryText(expiresAt: string): string {
  if (expiresAt === '') return 'valid'
  const verb = Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid until'
  return `${verb} ${expiresAt.slice(0, 10)}`
}
