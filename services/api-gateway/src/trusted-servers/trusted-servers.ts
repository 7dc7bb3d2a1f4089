import type { MessageInitShape } from '@bufbuild/protobuf'
import { AlreadyExistsError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'
import type { RepositoryCertificateSchema } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import {
  hostKeyFingerprint,
  isHostKey,
  type KnownHost,
  knownHostLine,
  readKnownHost,
} from '@wadi/repositories/known-hosts.ts'
import { certificatesOf, knownHostsField, readCertificate } from '@wadi/repositories/server-trust.ts'

/** A certificate or key that is trusted of a server, as Argo CD has it. */
export type TrustedServer = MessageInitShape<typeof RepositoryCertificateSchema>

/** Entries of a ConfigMap before or after a change, and what of them is listed, new or gone. */
export interface TrustChange {
  readonly entries: Readonly<Record<string, string>>
  readonly changed: readonly TrustedServer[]
}

type Entries = TrustChange['entries']
type IsWanted = (host: string, keyType: string) => boolean

/**
 * Returns what a query selects; a bracket of a pattern is taken as it is, since names of hosts with a port have them.
 * @throws InvalidInputError for a pattern that is not a glob
 */
export function wantedHosts(hostNamePattern: string, certSubType: string): IsWanted {
  const isHost =
    hostNamePattern === ''
      ? () => true
      : compileMatcher(parseGoFileMatch(hostNamePattern.replaceAll(/[[\]]/g, String.raw`\$&`)))
  const isOfAnyType = certSubType === '' || certSubType === '*'
  return (host, keyType) => isHost(host) && (isOfAnyType || keyType === certSubType)
}

/** Lists the certificates of authorities by host, one for each; the kind of its key and its subject stand for a certificate. */
export function listedAuthorities(entries: Entries, isWanted: IsWanted): TrustedServer[] {
  return Object.entries(entries).flatMap(([serverName, text]) =>
    certificatesOf(text).flatMap((pem): TrustedServer[] => {
      const certificate = readCertificate(pem)
      const certSubType = certificate?.publicKey.asymmetricKeyType ?? 'invalid'
      const certInfo = certificate ? distinguishedName(certificate.subject) : 'it cannot be read'
      return isWanted(serverName, '')
        ? [{ serverName, certType: 'https', certSubType: certSubType.replace(/^ec$/, 'ecdsa'), certInfo }]
        : []
    }),
  )
}

/** Lists the keys of ssh servers, one for each host; the fingerprint stands for the key. */
export function listedHostKeys(entries: Entries, isWanted: IsWanted): TrustedServer[] {
  return hostLines(entries).flatMap(({ known }) => (known ? hostKeys(known, isWanted) : []))
}

/**
 * Adds the certificates of the authorities of a server, in place of those that it has with `upsert`.
 * @throws AlreadyExistsError when it has others, InvalidInputError for what cannot be used
 */
export function withAuthorities(
  entries: Entries,
  { serverName = '', certData = new Uint8Array() }: TrustedServer,
  upsert: boolean,
): TrustChange {
  const text = Buffer.from(certData).toString('utf8')
  const found = certificatesOf(text)
  if (!isHostName(serverName)) throw invalidHost(serverName)
  if (found.length === 0) throw new InvalidInputError(`${serverName}: there is no certificate in PEM`)
  const before = entries[serverName]
  if (before === text) return { entries, changed: [] }
  if (before !== undefined && !upsert) {
    throw new AlreadyExistsError(
      `TLS certificate for server '${serverName}' already exists, and upsert was not specified`,
    )
  }
  const changed = found.map((pem) => ({ serverName, certType: 'https', certData: Buffer.from(pem) }))
  return { entries: { ...entries, [serverName]: text }, changed }
}

/**
 * Adds the key of an ssh server, in place of the one of this type that it has with `upsert`.
 * @throws AlreadyExistsError when it has another, InvalidInputError for what cannot be used
 */
export function withHostKey(
  entries: Entries,
  { serverName = '', certSubType: keyType = '', certData = new Uint8Array() }: TrustedServer,
  upsert: boolean,
): TrustChange {
  const name = /^\[(.*)\]:\d+$/.exec(serverName)?.[1] ?? serverName
  if (!isHostName(name) && !/^\|1\|[\w+/=]+\|[\w+/=]+$/.test(name)) throw invalidHost(serverName)
  const key = Buffer.from(certData).toString('latin1').trim().split(/\s/, 1).join('')
  const added = { marker: '', hosts: [serverName], keyType, key }
  if (!isHostKey(added) || !readKnownHost(knownHostLine(added))) {
    throw new InvalidInputError(`${serverName}: the key is not one of type ${JSON.stringify(keyType)}`)
  }
  const isOfHost: IsWanted = (host, type) => host === serverName && type === keyType
  const others = hostLines(entries).filter(({ known }) => known?.marker === '' && hasHost(known, isOfHost))
  if (others.length === 1 && others[0]?.known?.key === key) return { entries, changed: [] }
  if (others.length > 0 && !upsert) {
    throw new AlreadyExistsError(
      `key for '${serverName}' (subtype: '${keyType}') already exists, and upsert was not specified`,
    )
  }
  const rest = linesWithout(entries, isOfHost, ({ marker }) => marker === '')
  return {
    entries: withLines(entries, [...rest, knownHostLine(added)]),
    changed: hostKeys(added, isOfHost).map((one) => ({ ...one, certData: Buffer.from(key) })),
  }
}

/** Removes the certificates of the hosts that are wanted. */
export function withoutAuthorities(entries: Entries, isWanted: IsWanted): TrustChange {
  const [gone, kept] = [true, false].map((isGone) =>
    Object.entries(entries).filter(([host]) => isWanted(host, '') === isGone),
  )
  return {
    entries: Object.fromEntries(kept ?? []),
    changed: (gone ?? []).flatMap(([serverName, text]) => {
      const certificates = certificatesOf(text).map((pem) => Buffer.from(pem))
      return certificates.map((certData) => ({ serverName, certType: 'https', certData }))
    }),
  }
}

/** Removes the keys of the hosts that are wanted, and no others that share their line. */
export function withoutHostKeys(entries: Entries, isWanted: IsWanted): TrustChange {
  const changed = hostLines(entries).flatMap(({ known }) =>
    known
      ? hostKeys(known, isWanted).map((one) => ({ ...one, certInfo: '', certData: Buffer.from(known.key) }))
      : [],
  )
  return {
    entries: withLines(
      entries,
      linesWithout(entries, isWanted, () => true),
    ),
    changed,
  }
}

function hostLines(entries: Entries): { line: string; known: KnownHost | undefined }[] {
  const lines = (entries[knownHostsField] ?? '').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ line, known: readKnownHost(line) }))
}

function hasHost({ hosts, keyType }: KnownHost, isWanted: IsWanted): boolean {
  return hosts.some((host) => isWanted(host, keyType))
}

function hostKeys(known: KnownHost, isWanted: IsWanted): TrustedServer[] {
  const { hosts, keyType: certSubType } = known
  const wanted = hosts.filter((host) => isWanted(host, certSubType))
  const certInfo = hostKeyFingerprint(known)
  return wanted.map((serverName) => ({ serverName, certType: 'ssh', certSubType, certInfo }))
}

/** The lines with comments as they are, and without the hosts that are wanted. */
function linesWithout(
  entries: Entries,
  isWanted: IsWanted,
  isMeant: (known: KnownHost) => boolean,
): string[] {
  return hostLines(entries).flatMap(({ line, known }) => {
    if (!known || !isMeant(known) || !hasHost(known, isWanted)) return [line]
    const hosts = known.hosts.filter((host) => !isWanted(host, known.keyType))
    return hosts.length === 0 ? [] : [knownHostLine({ ...known, hosts })]
  })
}

function withLines(entries: Entries, lines: readonly string[]): Entries {
  return { ...entries, [knownHostsField]: lines.map((line) => `${line}\n`).join('') }
}

/** A name or an address of a host, without a port. */
function isHostName(name: string): boolean {
  return /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|[0-9a-f:]*:[0-9a-f:.]+)$/i.test(
    name,
  )
}

function invalidHost(name: string): InvalidInputError {
  const advice = /:\d+$/.test(name) ? '; give it without a port' : ''
  return new InvalidInputError(`invalid hostname in request: ${name}${advice}`)
}

/** Go's form of a subject: the last part first. */
function distinguishedName(subject: string): string {
  return subject.split('\n').toReversed().join(',')
}
