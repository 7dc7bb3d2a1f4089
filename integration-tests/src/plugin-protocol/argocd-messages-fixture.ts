import { createHash } from 'node:crypto'
import { KnownFields, wireMessage } from './protobuf-wire-fixture.ts'

/** The path of Argo CD's plugin service, to which a method is added. */
export const pluginService = '/plugin.ConfigManagementPluginService/'

/** The contents of the first message of a stream. */
export interface StreamMetadata {
  readonly appName: string
  readonly appRelPath: string
  readonly checksum: string
  readonly size: bigint
  readonly env: readonly (readonly [name: string, value: string])[]
}

/** A parameter announcement with the fields that Argo CD has. */
export interface FlatAnnouncement {
  readonly name: string
  readonly title?: string
  readonly tooltip?: string
  readonly required?: boolean
  readonly itemType?: string
  readonly collectionType?: string
  readonly string?: string
  readonly array?: readonly string[]
  readonly map?: readonly (readonly [key: string, value: string])[]
}

/** An `AppStreamRequest` with metadata, encoded as Go does it: empty fields are left out. */
export function metadataRequest(metadata: StreamMetadata): Buffer {
  const { appName, appRelPath, checksum, size, env } = metadata
  const texts = [appName, appRelPath, checksum].map((text, index) => [index + 1, text] as const)
  return wireMessage([
    1,
    wireMessage(
      ...texts.filter(([, text]) => text !== ''),
      ...(size === 0n ? [] : [[4, size] as const]),
      ...env.map(([name, value]) => [5, entry(name, value)] as const),
    ),
  ])
}

/** An `AppStreamRequest` with a part of the archive. */
export function fileRequest(chunk: Buffer): Buffer {
  return wireMessage([2, chunk.length === 0 ? chunk : wireMessage([1, chunk])])
}

/** The messages of a call with an archive, in parts of one kibibyte by default. */
export function archiveRequests(
  archive: Buffer,
  metadata: Partial<StreamMetadata> = {},
  chunkBytes = 1024,
): Buffer[] {
  const checksum = createHash('sha256').update(archive).digest('hex')
  const described = { appName: 'app', appRelPath: '.', checksum, size: BigInt(archive.length), env: [] }
  const count = Math.ceil(archive.length / chunkBytes)
  return [
    metadataRequest({ ...described, ...metadata }),
    ...Array.from({ length: count }, (_, index) =>
      fileRequest(archive.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
    ),
  ]
}

/** Reads a `CheckPluginConfigurationResponse`. */
export function readConfiguration(bytes: Buffer) {
  const fields = new KnownFields(bytes, [1, 2])
  return {
    isDiscoveryConfigured: fields.number(1) !== 0n,
    provideGitCreds: fields.number(2) !== 0n,
    skipped: fields.skipped,
  }
}

/** Reads a `RepositoryResponse`. */
export function readMatch(bytes: Buffer) {
  const fields = new KnownFields(bytes, [1, 2])
  return { isSupported: fields.number(1) !== 0n, isDiscoveryEnabled: fields.number(2) !== 0n }
}

/** Reads a `ManifestResponse`. */
export function readManifests(bytes: Buffer) {
  const fields = new KnownFields(bytes, [1, 2])
  return {
    manifests: fields.all(1).map(String),
    sourceType: fields.text(2),
    skipped: fields.skipped,
  }
}

/** Reads a `ParametersAnnouncementResponse`; empty fields of an announcement are left out. */
export function readAnnouncementList(bytes: Buffer): FlatAnnouncement[] {
  return new KnownFields(bytes, [1]).all(1).map((item) => {
    const fields = new KnownFields(item, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    const texts = { title: 2, tooltip: 3, itemType: 5, collectionType: 6, string: 7 }
    const set = Object.entries(texts).map(([key, number]) => [key, fields.text(number)])
    const array = fields.all(8).map(String)
    const map = fields.all(9).map(readEntry)
    return {
      name: fields.text(1),
      ...Object.fromEntries(set.filter(([, text]) => text !== '')),
      ...(fields.number(4) !== 0n && { required: true }),
      ...(array.length > 0 && { array }),
      ...(map.length > 0 && { map }),
    }
  })
}

/** A `ParametersAnnouncementResponse`. */
export function announcementsResponse(announcements: readonly FlatAnnouncement[]): Buffer {
  return wireMessage(
    ...announcements.map(
      ({ name, title, tooltip, required, itemType, collectionType, string, array = [], map = [] }) =>
        [
          1,
          wireMessage(
            ...optionalText([1, name], [2, title], [3, tooltip]),
            ...(required === true ? [[4, true] as const] : []),
            ...optionalText([5, itemType], [6, collectionType], [7, string]),
            ...array.map((item) => [8, item] as const),
            ...map.map(([key, value]) => [9, entry(key, value)] as const),
          ),
        ] as const,
    ),
  )
}

/** Reads an `AppStreamRequest`. */
export function readStreamRequest(bytes: Buffer) {
  const fields = new KnownFields(bytes, [1, 2])
  const metadata = fields.all(1).map(readMetadata)
  const chunks = fields.all(2).map((file) => Buffer.concat(new KnownFields(file, [1]).all(1)))
  return { metadata: metadata.at(-1), chunk: chunks.at(-1) }
}

function readMetadata(bytes: Buffer): StreamMetadata {
  const fields = new KnownFields(bytes, [1, 2, 3, 4, 5])
  return {
    appName: fields.text(1),
    appRelPath: fields.text(2),
    checksum: fields.text(3),
    size: fields.number(4),
    env: fields.all(5).map(readEntry),
  }
}

/** Entries of maps and variables are encoded alike. */
function entry(key: string, value: string): Buffer {
  return wireMessage(...optionalText([1, key], [2, value]))
}

function readEntry(bytes: Buffer): [key: string, value: string] {
  const fields = new KnownFields(bytes, [1, 2])
  return [fields.text(1), fields.text(2)]
}

function optionalText(...fields: readonly (readonly [number: number, text: string | undefined])[]) {
  return fields.flatMap(([number, text = '']) => (text === '' ? [] : [[number, text] as const]))
}
