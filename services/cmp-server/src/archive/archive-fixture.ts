import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { create } from '@bufbuild/protobuf'
import { type AppStreamRequest, AppStreamRequestSchema } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { type Header, pack } from 'tar-stream'

/** An entry of an archive: a file with this text, or a header as it is. */
export type ArchiveEntry =
  | { name: string; text: string; mode?: number }
  | (Partial<Header> & { name: string })

/** A gzipped tar archive with any entries, also those that an honest packer never makes. */
export async function archiveOf(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const archive = pack()
  for (const entry of entries) {
    if ('text' in entry) archive.entry({ name: entry.name, mode: entry.mode ?? 0o644 }, entry.text)
    else archive.entry(entry)
  }
  archive.finalize()
  return buffer(archive.pipe(createGzip()))
}

/** The messages of a call with an archive, in parts of one kibibyte as Argo CD sends them. */
export function requestsOf(
  archive: Buffer,
  metadata: { appRelPath?: string; env?: { name: string; value: string }[]; checksum?: string } = {},
): AppStreamRequest[] {
  const checksum = createHash('sha256').update(archive).digest('hex')
  const value = { appName: 'app', appRelPath: '.', checksum, size: BigInt(archive.length), ...metadata }
  const messages = [create(AppStreamRequestSchema, { request: { case: 'metadata', value } })]
  for (let at = 0; at < archive.length; at += 1024) {
    const chunk = archive.subarray(at, at + 1024)
    messages.push(create(AppStreamRequestSchema, { request: { case: 'file', value: { chunk } } }))
  }
  return messages
}
