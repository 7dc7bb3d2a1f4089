import { type MessageInitShape, create } from '@bufbuild/protobuf'
import {
  type AppStreamRequest,
  AppStreamRequestSchema,
  type ManifestRequestMetadataSchema,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { Archive } from '../archive/archive-packer.ts'

// Argo CD's default of one kibibyte takes ten times as long.
const chunkBytes = 256 * 1024

/** The messages that carry an archive: what it is and what to do with it, then its bytes. */
export async function* archiveRequests(
  archive: Archive,
  call: Pick<MessageInitShape<typeof ManifestRequestMetadataSchema>, 'appName' | 'appRelPath' | 'env'>,
): AsyncGenerator<AppStreamRequest> {
  const value = { ...call, checksum: archive.checksum, size: BigInt(archive.size) }
  yield create(AppStreamRequestSchema, { request: { case: 'metadata', value } })
  for (const chunk of chunksOf(archive.parts)) {
    yield create(AppStreamRequestSchema, { request: { case: 'file', value: { chunk } } })
  }
}

/** The same bytes in chunks of one size, the last one excepted. */
export function* chunksOf(parts: readonly Buffer[]): Generator<Uint8Array> {
  let waiting: Buffer[] = []
  let room = chunkBytes
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + room)
      waiting.push(piece)
      at += piece.length
      room -= piece.length
      if (room > 0) continue
      yield joined(waiting)
      waiting = []
      room = chunkBytes
    }
  }
  if (waiting.length > 0) yield joined(waiting)
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
}
