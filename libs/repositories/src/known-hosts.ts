import { createHash } from 'node:crypto'

/** One line of known_hosts. */
export interface KnownHost {
  /** `@cert-authority` or `@revoked`; empty for a plain key. */
  readonly marker: string
  /** Names, patterns and hashes of hosts, `[host]:port` where the port is not 22. */
  readonly hosts: readonly string[]
  /** For example `ssh-ed25519`. */
  readonly keyType: string
  /** In base64. */
  readonly key: string
}

/** Reads a line of known_hosts; undefined for an empty line, a comment and what is neither. */
export function readKnownHost(line: string): KnownHost | undefined {
  const parts =
    /^(@(?:cert-authority|revoked)\s+)?([^\s#@]\S*)\s+([a-z0-9@.-]+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(
      line.trim(),
    )
  if (parts === null) return undefined
  const [, marker = '', hosts = '', keyType = '', key = ''] = parts
  return { marker: marker.trim(), hosts: hosts.split(','), keyType, key }
}

/** Returns the line of known_hosts for a key. */
export function knownHostLine({ marker, hosts, keyType, key }: KnownHost): string {
  return [...(marker === '' ? [] : [marker]), hosts.join(','), keyType, key].join(' ')
}

/** Returns whether the bytes of a key are of the type that stands before them. */
export function isHostKey({ keyType, key }: Pick<KnownHost, 'keyType' | 'key'>): boolean {
  const bytes = Buffer.from(key, 'base64')
  const length = bytes.length < 4 ? 0 : bytes.readUInt32BE()
  return bytes.length > 4 + length && bytes.toString('latin1', 4, 4 + length) === keyType
}

/** Returns the fingerprint of a key as ssh-keygen shows it. */
export function hostKeyFingerprint({ key }: Pick<KnownHost, 'key'>): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}
