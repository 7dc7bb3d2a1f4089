import { X509Certificate } from 'node:crypto'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { GitCredentials } from '@wadi/git/remote/credentials.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { readKnownHost } from './known-hosts.ts'

/** The ConfigMap with the authorities of https servers, by host without port, as in Argo CD. */
export const tlsCertificatesConfigMap = 'argocd-tls-certs-cm'

/** The ConfigMap with the host keys of ssh servers, as in Argo CD. */
export const sshKnownHostsConfigMap = 'argocd-ssh-known-hosts-cm'

/** The ConfigMaps that say which servers are trusted. */
export const trustConfigMaps: readonly string[] = [tlsCertificatesConfigMap, sshKnownHostsConfigMap]

/** The field of `argocd-ssh-known-hosts-cm`. */
export const knownHostsField = 'ssh_known_hosts'
const maxCharacters = 1_000_000
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The content of the two ConfigMaps; empty where they are missing. */
export interface ServerTrust {
  readonly certificates: Readonly<Record<string, string>>
  readonly knownHosts: string
}

/** Returns whether an object is one of the ConfigMaps that say which servers are trusted. */
export function isTrustConfigMap({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): boolean {
  return kind === 'ConfigMap' && trustConfigMaps.includes(metadata.name)
}

/** Reads the two ConfigMaps, each of which may be missing; nothing is checked. */
export function readServerTrust(certificates?: Resource, knownHosts?: Resource): ServerTrust {
  return { certificates: certificates?.data ?? {}, knownHosts: knownHosts?.data?.[knownHostsField] ?? '' }
}

/**
 * Returns what is trusted of a host, for repositories whose Secret says nothing else.
 * @param host without port and brackets
 */
export function trustOf({ certificates, knownHosts }: ServerTrust, host: string): GitCredentials {
  const name = host.toLowerCase()
  const own = Object.entries(certificates).find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
  return {
    ...(own.trim() !== '' && { tlsCaCertificate: own }),
    ...(knownHosts.trim() !== '' && { sshKnownHosts: `${knownHosts.trimEnd()}\n` }),
  }
}

/**
 * Checks a ConfigMap that says which servers are trusted, before it is stored.
 * @throws InvalidInputError that names the key and the line or certificate that cannot be used
 */
export function checkTrust({ metadata, data = {} }: Resource): void {
  const errors = Object.entries(data).flatMap(([key, text]) => {
    const at = `data[${JSON.stringify(key)}]`
    if (text.length > maxCharacters) return [`${at} is longer than ${maxCharacters} characters`]
    if (metadata.name === tlsCertificatesConfigMap)
      return certificateErrors(text).map((error) => `${at}: ${error}`)
    if (key !== knownHostsField) return [`${at} is unknown; expected ${knownHostsField}`]
    return knownHostErrors(text).map((error) => `${at}: ${error}`)
  })
  if (errors.length === 0) return
  throw new InvalidInputError(errors.slice(0, 10).join('; '), { context: [`ConfigMap ${metadata.name}`] })
}

/** Returns the certificates in PEM that a text has, with what is between them left out. */
export function certificatesOf(text: string): string[] {
  return text.match(certificateBlock) ?? []
}

/** Reads a certificate in PEM; undefined for what is not one. */
export function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function certificateErrors(text: string): string[] {
  const blocks = certificatesOf(text)
  const rest = text.replaceAll(certificateBlock, '')
  if (/-----(?:BEGIN|END) /.test(rest)) return ['must have whole certificates in PEM alone']
  if (blocks.length === 0 && text.trim() !== '') return ['has no certificate in PEM']
  return blocks.flatMap((block, index) =>
    readCertificate(block) ? [] : [`certificate ${index + 1} cannot be read`],
  )
}

function knownHostErrors(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#') || readKnownHost(bare)) return []
    return [`line ${index + 1} is not a host with its key, as known_hosts has them`]
  })
}
